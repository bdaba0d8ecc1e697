// Two threads wait for a task each, which a third thread runs.
#include "srsran/support/executors/sync_task_executor.h"

#include <cassert>
#include <queue>
#include <thread>

namespace {
class Worker : public srsran::task_executor {
 public:
  explicit Worker(int tasks) : thread_([this, tasks] { run(tasks); }) {}
  ~Worker() override { thread_.join(); }
  bool execute(srsran::unique_task task) override {
    const std::lock_guard lock(mutex_);
    tasks_.push(std::move(task));
    more_.notify_one();
    return true;
  }
  bool defer(srsran::unique_task task) override { return execute(std::move(task)); }

 private:
  void run(int left) {
    for (; left > 0; --left) {
      std::unique_lock lock(mutex_);
      more_.wait(lock, [this] { return !tasks_.empty(); });
      srsran::unique_task task = std::move(tasks_.front());
      tasks_.pop();
      lock.unlock();
      task();
    }
  }
  std::mutex mutex_;
  std::condition_variable more_;
  std::queue<srsran::unique_task> tasks_;
  std::thread thread_;
};
}  // namespace

int main() {
  Worker worker(2);
  srsran::sync_task_executor<Worker&> executor(worker);
  int first = 0;
  int second = 0;
  std::thread other([&] {
    assert(executor.execute([&] { first = 1; }));
    assert(first == 1);
  });
  assert(executor.execute([&] { second = 1; }));
  assert(second == 1);
  other.join();
}
