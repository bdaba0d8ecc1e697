// A thread sets the event for which another one waits.
#include <thread>

#include "coro/sync_wait.hpp"

int main() {
  coro::detail::sync_wait_event event;
  std::thread other([&] { event.set(); });
  event.wait();
  other.join();
}
