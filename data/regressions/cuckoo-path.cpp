// A thread adds an element, for which another one has to move, while the table grows.
#include "libcuckoo/cuckoohash_map.hh"

#include <cassert>
#include <thread>

struct Itself {
  size_t operator()(int key) const { return key; }
};

int main() {
  cuckoohash_map<int, int, Itself, std::equal_to<int>, std::allocator<std::pair<const int, int>>, 1> map(4);
  map.insert(0, 0);
  map.insert(1, 1);
  std::thread other([&] { map.reserve(8); });
  map.insert(4, 4);
  other.join();
  assert(map.size() == 3);
}
