// A relaxed flag orders nothing: the accesses to the data race, although no value is ever wrong here.
#include <atomic>
#include <cstdio>
#include <thread>

int data = 0;
std::atomic<bool> ready{false};

int main() {
  std::thread writer([] {
    data = 1;
    ready.store(true, std::memory_order_relaxed);
  });
  std::thread reader([] {
    if (ready.load(std::memory_order_relaxed)) std::printf("%d\n", data);
  });
  writer.join();
  reader.join();
  return 0;
}
