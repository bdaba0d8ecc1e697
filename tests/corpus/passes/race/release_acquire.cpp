// The flag is stored with release and loaded with acquire: no race.
#include <atomic>
#include <cstdio>
#include <thread>

int data = 0;
std::atomic<bool> ready{false};

int main() {
  std::thread writer([] {
    data = 1;
    ready.store(true, std::memory_order_release);
  });
  std::thread reader([] {
    if (ready.load(std::memory_order_acquire)) std::printf("%d\n", data);
  });
  writer.join();
  reader.join();
  return 0;
}
