// One thread pushes two values through a queue that has room for one, and main takes them.
#include <iox/detail/spsc_fifo.hpp>

#include <cassert>
#include <thread>

int main() {
  iox::concurrent::SpscFifo<int, 1> queue;
  std::thread producer([&] {
    for (int i = 1; i <= 2; ++i) {
      while (!queue.push(i)) std::this_thread::yield();
    }
  });
  for (int i = 1; i <= 2; ++i) {
    auto value = queue.pop();
    while (!value.has_value()) {
      std::this_thread::yield();
      value = queue.pop();
    }
    assert(*value == i);
  }
  producer.join();
}
