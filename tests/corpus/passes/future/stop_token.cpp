// A jthread is asked to stop; its destructor joins it.
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>

std::atomic<bool> stopped{false};

int main() {
  {
    std::jthread worker([](std::stop_token token) {
      while (!token.stop_requested()) std::this_thread::yield();
      stopped.store(true);
    });
  }
  assert(stopped.load());
  return 0;
}
