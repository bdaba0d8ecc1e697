// Two threads send three tasks, of which two may run at once, to a pool of two threads.
#include "srsran/adt/mpmc_queue.h"
#include "srsran/support/executors/task_fork_limiter.h"

#include <cassert>
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

namespace {
class Pool : public srsran::task_executor {
 public:
  explicit Pool(int threads) {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
  }
  void end() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    more_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  bool execute(srsran::unique_task task) override {
    const std::lock_guard lock(mutex_);
    tasks_.push(std::move(task));
    more_.notify_one();
    return true;
  }
  bool defer(srsran::unique_task task) override { return execute(std::move(task)); }

 private:
  void run() {
    for (;;) {
      std::unique_lock lock(mutex_);
      more_.wait(lock, [this] { return ended_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      srsran::unique_task task = std::move(tasks_.front());
      tasks_.pop();
      lock.unlock();
      task();
    }
  }
  std::mutex mutex_;
  std::condition_variable more_;
  std::queue<srsran::unique_task> tasks_;
  bool ended_ = false;
  std::vector<std::thread> threads_;
};
}  // namespace

int main() {
  std::mutex mutex;
  std::condition_variable more;
  int done = 0;
  Pool pool(2);
  srsran::task_fork_limiter<Pool&, srsran::concurrent_queue_policy::lockfree_mpmc> limiter(pool, 2, 16);
  const auto task = [&] {
    const std::lock_guard lock(mutex);
    ++done;
    more.notify_one();
  };
  std::thread other([&] { assert(limiter.execute(task)); });
  assert(limiter.execute(task));
  assert(limiter.execute(task));
  {
    std::unique_lock lock(mutex);
    more.wait(lock, [&] { return done == 3; });
  }
  other.join();
  pool.end();
}
