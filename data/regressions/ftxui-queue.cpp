// Two threads post a task each.
#include <atomic>
#include <cassert>
#include <thread>

#include "ftxui/component/task_runner.hpp"

int main() {
  ftxui::task::TaskRunner runner;
  std::atomic<int> done{0};
  std::thread other([&] { runner.PostTask([&] { ++done; }); });
  runner.PostTask([&] { ++done; });
  runner.RunUntilIdle();
  other.join();
  runner.RunUntilIdle();
  assert(done == 2);
}
