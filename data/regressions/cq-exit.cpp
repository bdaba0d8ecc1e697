// A thread adds an element to a queue and ends, while another one destroys the queue.
#include "concurrentqueue.h"

#include <atomic>
#include <thread>

int main() {
  auto* queue = new moodycamel::ConcurrentQueue<int>(32);
  std::atomic<bool> added{false};
  std::thread producer([&] {
    queue->enqueue(1);
    added = true;
  });
  while (!added) std::this_thread::yield();
  delete queue;
  producer.join();
}
