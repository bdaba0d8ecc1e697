// A thread waits at a latch that another one opens.
// Needs the rest of Boost.
#include <boost/thread/latch.hpp>
#include <thread>

int main() {
  boost::latch ready(1);
  std::thread opener([&] { ready.count_down(); });
  ready.wait();
  opener.join();
}
