// A queue is closed while a thread waits for an element.
// Needs the rest of Boost.
#include <boost/thread/sync_queue.hpp>
#include <cassert>
#include <thread>

int main() {
  boost::sync_queue<int> queue;
  int sum = 0;
  std::thread reader([&] {
    int value = 0;
    while (queue.wait_pull_front(value) == boost::queue_op_status::success) sum += value;
  });
  queue.push_back(1);
  queue.close();
  reader.join();
  assert(sum == 1);
}
