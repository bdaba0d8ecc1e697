// A future of an asynchronous call has its result.
// Needs the rest of Boost.
#include <boost/thread/future.hpp>
#include <cassert>

int main() {
  boost::future<int> answer = boost::async(boost::launch::async, [] { return 42; });
  assert(answer.get() == 42);
}
