// A producer hands over numbers by pointer through a queue of atomic elements for one producer and one consumer.
#include "atomic_queue/atomic_queue.h"

#include <cassert>
#include <thread>

int main() {
  atomic_queue::AtomicQueue<int*, 4, nullptr, false, false, true, true> queue;
  int numbers[2] = {0, 0};
  std::thread producer([&] {
    for (int i = 0; i < 2; ++i) {
      numbers[i] = i + 1;
      queue.push(&numbers[i]);
    }
  });
  int sum = 0;
  for (int i = 0; i < 2; ++i) sum += *queue.pop();
  producer.join();
  assert(sum == 3);
}
