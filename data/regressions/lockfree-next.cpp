// Each of two threads adds an element and takes one out, a third one adds one.
#include <boost/lockfree/queue.hpp>

#include <cassert>
#include <thread>

int main() {
  boost::lockfree::queue<int> queue(1);
  const auto add_and_take = [&] {
    int value = 0;
    queue.push(1);
    const bool taken = queue.pop(value);
    assert(taken);
  };
  std::thread one(add_and_take), two([&] { queue.push(2); });
  add_and_take();
  one.join();
  two.join();
}
