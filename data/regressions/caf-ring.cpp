// A producer hands three values to a consumer, through a buffer that holds two.
#include <cassert>
#include <iterator>
#include <thread>
#include <vector>

#include "caf/detail/ringbuffer.hpp"

int main() {
  caf::detail::ringbuffer<int, 3> buffer;
  std::thread producer([&] {
    for (int i = 0; i < 3; ++i) {
      buffer.push_back(int(i));
    }
  });
  std::vector<int> all;
  while (all.size() < 3) {
    buffer.wait_nonempty();
    buffer.get_all(std::back_inserter(all));
  }
  producer.join();
  assert(all[2] == 2);
}
