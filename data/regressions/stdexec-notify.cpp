// Two threads wait for a result that a third one has.
#include <exec/single_thread_context.hpp>
#include <stdexec/execution.hpp>

#include <memory>
#include <thread>

int main() {
  auto context = std::make_unique<exec::single_thread_context>();
  auto shared = stdexec::split(stdexec::schedule(context->get_scheduler()));
  std::thread first([&] { stdexec::sync_wait(shared); });
  stdexec::sync_wait(shared);
  first.join();
  context.reset();
}
