// Two threads wait for the same work, which runs once.
#include <stdexec/execution.hpp>
#include <exec/single_thread_context.hpp>
#include <cassert>
#include <thread>

int main() {
  exec::single_thread_context context;
  int runs = 0;
  auto work = stdexec::split(stdexec::schedule(context.get_scheduler()) | stdexec::then([&] { return ++runs; }));
  std::thread other([&work] {
    auto [value] = stdexec::sync_wait(work).value();
    assert(value == 1);
  });
  auto [value] = stdexec::sync_wait(work).value();
  assert(value == 1);
  other.join();
}
