// Two threads put elements into a deque and take elements from it: none is lost, none is taken twice.
#include <concore/data/concurrent_dequeue.hpp>
#include <cassert>
#include <thread>

int main() {
  concore::concurrent_dequeue<int> queue(4);
  std::atomic<int> sum{0};
  auto work = [&](int first) {
    for (int i = 0; i < 2; ++i) {
      queue.push_back(first << i);
      int value = 0;
      if (queue.try_pop_front(value)) sum += value;
    }
  };
  std::thread other(work, 1);
  work(4);
  other.join();
  int value = 0;
  while (queue.try_pop_front(value)) sum += value;
  assert(sum == 15);
}
