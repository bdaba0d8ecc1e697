// A reader that waits for the next element ends when the channel is closed.
#include <cassert>
#include <thread>

#include "msd/channel.hpp"

int main() {
  msd::channel<int> channel{4};
  std::thread writer([&] {
    channel << 1;
    channel << 2;
    channel.close();
  });
  int sum = 0;
  for (const int value : channel) sum += value;
  writer.join();
  assert(sum == 3);
}
