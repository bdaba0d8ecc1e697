// A thread posts a task while the thread of the runner fills two slabs, and empties them.
#include "perfetto/ext/base/lock_free_task_runner.h"

#include <cassert>
#include <thread>

using perfetto::base::LockFreeTaskRunner;

int main() {
  LockFreeTaskRunner runner;
  int run = 0;
  bool posted = false;
  const auto count = [&] {
    ++run;
    if (run > 128 && posted) runner.Quit();
  };
  std::thread poster([&] {
    runner.PostTask([&] {
      posted = true;
      count();
    });
  });
  for (int task = 0; task < 129; ++task) runner.PostTask(count);
  runner.Run();
  poster.join();
  assert(run >= 129);
}
