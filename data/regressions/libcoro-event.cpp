// A thread waits for the event that another one sets.
#include <coro/sync_wait.hpp>
#include <thread>

int main() {
  coro::detail::sync_wait_event event;
  std::thread setter([&] { event.set(); });
  event.wait();
  setter.join();
}
