// A thread that another thread created reads what main sets only after the creation.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> configuration{0};

int main() {
  std::thread parent([] {
    std::thread child([] { assert(configuration.load() == 1); });
    child.join();
  });
  configuration.store(1);
  parent.join();
  return 0;
}
