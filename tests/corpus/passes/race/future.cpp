// A promise and its future order the accesses: no race.
#include <cstdio>
#include <future>
#include <thread>

int data = 0;
std::promise<void> ready;

int main() {
  std::thread writer([] {
    data = 1;
    ready.set_value();
  });
  std::thread reader([] {
    ready.get_future().wait();
    std::printf("%d\n", data);
  });
  writer.join();
  reader.join();
  return 0;
}
