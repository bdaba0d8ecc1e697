// A thread asks for the result of a task that another thread computes.
#include <async++.h>

int main() {
  auto task = async::spawn(async::thread_scheduler(), [] { return 42; });
  return task.get() == 42 ? 0 : 1;
}
