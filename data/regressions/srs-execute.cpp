// A coroutine goes on in another thread.
#include "srsran/support/async/execute_on.h"
#include "srsran/support/async/eager_async_task.h"
#include "srsran/support/executors/task_executor.h"

#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace srsran;

namespace {
class Once : public srsran::task_executor {
 public:
  void join() { thread_.join(); }
  bool execute(srsran::unique_task task) override {
    thread_ = std::thread([task = std::move(task)]() mutable { task(); });
    return true;
  }
  bool defer(srsran::unique_task task) override { return execute(std::move(task)); }

 private:
  std::thread thread_;
};
}  // namespace

int main() {
  std::atomic<bool> moved{false};
  {
    std::mutex mutex;
    std::condition_variable end;
    bool ended = false;
    Once once;
    srsran::eager_async_task<void> task = srsran::launch_async([&](srsran::coro_context<srsran::eager_async_task<void>>& context) {
      CORO_BEGIN(context);
      bool success;
      CORO_AWAIT_VALUE(success, srsran::execute_on(once));
      moved = success;
      {
        const std::lock_guard lock(mutex);
        ended = true;
        end.notify_one();
      }
      CORO_RETURN();
    });
    std::unique_lock lock(mutex);
    end.wait(lock, [&] { return ended; });
    lock.unlock();
    once.join();
  }
  assert(moved);
}

namespace srslog {
void flush() {}
}  // namespace srslog
