// A relaxed increment continues the release sequence of the store, so a load that reads it acquires the
// store.
#include <atomic>
#include <cstdio>
#include <thread>

int data = 0;
std::atomic<int> stage{0};

int main() {
  std::thread writer([] {
    data = 1;
    stage.store(1, std::memory_order_release);
  });
  std::thread middle([] {
    int one = 1;
    stage.compare_exchange_strong(one, 2, std::memory_order_relaxed);
  });
  std::thread reader([] {
    if (stage.load(std::memory_order_acquire) == 2) std::printf("%d\n", data);
  });
  writer.join();
  middle.join();
  reader.join();
  return 0;
}
