// A producer that is ahead waits until the consumer has made room, and both come to an end.
#include <mqtt/thread_queue.h>
#include <cassert>
#include <thread>

int main() {
  mqtt::thread_queue<int> queue(2);
  std::thread producer([&] {
    for (int i = 1; i <= 4; ++i) queue.put(i);
  });
  for (int i = 1; i <= 4; ++i) assert(queue.get() == i);
  producer.join();
}
