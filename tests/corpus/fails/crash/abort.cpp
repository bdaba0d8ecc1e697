// A reader sees one half of an update and aborts.
#include <atomic>
#include <cstdlib>
#include <thread>

std::atomic<int> low{0}, high{0};

int main() {
  std::thread writer([] {
    low.store(1);
    high.store(1);
  });
  std::thread reader([] {
    const int seen = high.load();
    if (low.load() != seen) std::abort();
  });
  writer.join();
  reader.join();
  return 0;
}
