// Two threads let a vector grow, one of them by more than its embedded table of segments holds.
#include <cassert>
#include <thread>

#include <oneapi/tbb/concurrent_vector.h>

int main() {
  oneapi::tbb::concurrent_vector<char> vector;
  std::thread one([&] { vector.grow_by(2); });
  std::thread two([&] { vector.grow_by(20); });
  one.join();
  two.join();
  assert(vector.size() == 22);
}
