// Two threads write a value each and count a latch down; the main thread adds the values.
#include <folly/synchronization/Latch.h>

#include <cassert>
#include <thread>

int main() {
  folly::Latch latch(2);
  int first = 0;
  int second = 0;
  std::thread one([&] {
    first = 1;
    latch.count_down();
  });
  std::thread two([&] {
    second = 2;
    latch.count_down();
  });
  latch.wait();
  assert(first + second == 3);
  one.join();
  two.join();
}
