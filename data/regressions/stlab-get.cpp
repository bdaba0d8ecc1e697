// Main waits for a value that another thread computes.
#include <cassert>
#include <thread>

#include <stlab/concurrency/future.hpp>
#include <stlab/concurrency/immediate_executor.hpp>
#include <stlab/concurrency/utility.hpp>

int main() {
  auto task = stlab::package<int()>(stlab::immediate_executor, [] { return 42; });
  std::thread worker([f = std::move(task.first)]() mutable { f(); });
  int value = stlab::blocking_get(std::move(task.second));
  worker.join();
  assert(value == 42);
}
