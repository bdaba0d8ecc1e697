// Two writers and one reader share a channel with room for two messages.
#include <stdint.h>
extern "C" {
#include "chan.h"
}
#include <thread>

int main() {
  chan_t* chan = chan_init(2);
  static int messages[4];
  std::thread first([&] {
    for (int i = 0; i < 2; ++i) chan_send(chan, &messages[i]);
  });
  std::thread second([&] {
    for (int i = 2; i < 4; ++i) chan_send(chan, &messages[i]);
  });
  void* got = nullptr;
  for (int i = 0; i < 4; ++i)
    if (chan_recv(chan, &got) != 0) return 1;
  first.join();
  second.join();
  chan_dispose(chan);
}
