// Two threads push into a channel without a buffer; main takes both, and only then the threads end.
#include <boost/fiber/all.hpp>
#include <cassert>
#include <future>
#include <thread>

int main() {
  boost::fibers::unbuffered_channel<int> channel;
  std::promise<void> taken;
  const std::shared_future<void> end(taken.get_future());
  const auto push = [&channel, end](int value) {
    channel.push(value);
    end.wait();
  };
  std::thread first(push, 1);
  std::thread second(push, 2);
  const int sum = channel.value_pop() + channel.value_pop();
  assert(sum == 3);
  taken.set_value();
  first.join();
  second.join();
}
