// Two consumers take what one producer has put.
#include <mqtt/thread_queue.h>
#include <cassert>
#include <thread>

int main() {
  mqtt::thread_queue<int> queue;
  int first = 0;
  int second = 0;
  std::thread one([&] { first = queue.get(); });
  std::thread two([&] { second = queue.get(); });
  queue.put(1);
  queue.put(2);
  one.join();
  two.join();
  assert(first + second == 3);
}
