// The word is given only if the request came in time. Otherwise main looks for it every millisecond, for
// ever.
#include <atomic>
#include <chrono>
#include <thread>

std::atomic<bool> requested{false};
std::atomic<bool> answered{false};

int main() {
  std::thread server([] {
    if (requested.load()) answered.store(true);
  });
  requested.store(true);
  while (!answered.load()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  server.join();
  return 0;
}
