// The post of a semaphore orders the accesses: no race.
#include <cstdio>
#include <semaphore>
#include <thread>

int data = 0;
std::binary_semaphore ready{0};

int main() {
  std::thread writer([] {
    data = 1;
    ready.release();
  });
  std::thread reader([] {
    ready.acquire();
    std::printf("%d\n", data);
  });
  writer.join();
  reader.join();
  return 0;
}
