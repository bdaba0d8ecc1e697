// A sender completes on another thread while the main thread waits for it.
#include <stdexec/execution.hpp>
#include <exec/single_thread_context.hpp>
#include <cassert>

int main() {
  exec::single_thread_context context;
  auto work = stdexec::schedule(context.get_scheduler()) | stdexec::then([] { return 42; });
  auto [value] = stdexec::sync_wait(std::move(work)).value();
  assert(value == 42);
}
