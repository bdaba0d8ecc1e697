// Threads create threads, and work between the creation and the join.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> sum{0};

int main() {
  std::thread parent([] {
    std::thread child([] { sum.fetch_add(1); });
    sum.fetch_add(2);
    child.join();
    assert(sum.load() >= 3);
  });
  sum.fetch_add(4);
  parent.join();
  assert(sum.load() == 7);
  return 0;
}
