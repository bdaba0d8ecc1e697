// A thread leaves a barrier after all threads have arrived: no race.
#include <barrier>
#include <cstdio>
#include <thread>

int data = 0;
std::barrier<> barrier(2);

int main() {
  std::thread writer([] {
    data = 1;
    barrier.arrive_and_wait();
  });
  std::thread reader([] {
    barrier.arrive_and_wait();
    std::printf("%d\n", data);
  });
  writer.join();
  reader.join();
  return 0;
}
