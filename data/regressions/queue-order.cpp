// Two threads take what a third one has put: each sees what was written before.
#include <concurrentqueue.h>
#include <cassert>
#include <memory>
#include <thread>

int main() {
  moodycamel::ConcurrentQueue<std::shared_ptr<int>> queue;
  auto take = [&] {
    std::shared_ptr<int> value;
    if (queue.try_dequeue(value)) assert(*value == 1 || *value == 2);
  };
  std::thread one(take);
  std::thread two(take);
  queue.enqueue(std::make_shared<int>(1));
  queue.enqueue(std::make_shared<int>(2));
  one.join();
  two.join();
}
