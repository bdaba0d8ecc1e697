// A thread ends the loop of a runner, which is destroyed then.
#include "perfetto/ext/base/lock_free_task_runner.h"

#include <memory>
#include <thread>

using perfetto::base::LockFreeTaskRunner;

int main() {
  auto runner = std::make_unique<LockFreeTaskRunner>();
  std::thread quitter([&runner = *runner] { runner.Quit(); });
  runner->Run();
  runner.reset();
  quitter.join();
}
