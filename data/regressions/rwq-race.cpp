// One thread fills the queue, and another empties it.
#include "readerwriterqueue.h"
#include <cassert>
#include <thread>

int main() {
  moodycamel::ReaderWriterQueue<int> queue(2);
  std::thread producer([&] {
    for (int i = 1; i <= 3; ++i) queue.enqueue(i);
  });
  int next = 1;
  for (int tries = 0; tries < 6; ++tries) {
    int value = 0;
    if (queue.try_dequeue(value)) assert(value == next++);
  }
  producer.join();
}
