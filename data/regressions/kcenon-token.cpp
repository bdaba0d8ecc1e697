// A callback that is registered while another thread cancels is called once.
#include <thread_base/cancellation_token.h>
#include <cassert>
#include <thread>

int main() {
  auto token = thread_module::cancellation_token::create();
  std::atomic<int> calls{0};
  std::thread canceller([&] { token.cancel(); });
  token.register_callback([&] { ++calls; });
  canceller.join();
  assert(calls == 1);
}
