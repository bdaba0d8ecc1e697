// std::latch: the work is done when the wait ends.
#include <cassert>
#include <latch>
#include <thread>

std::latch done{2};
int results[2] = {0, 0};

int main() {
  std::thread one([] {
    results[0] = 1;
    done.count_down();
  });
  std::thread two([] {
    results[1] = 1;
    done.count_down();
  });
  done.wait();
  assert(results[0] + results[1] == 2);
  one.join();
  two.join();
  return 0;
}
