// Two readers share a channel without room: each gets one of two messages.
#include <cassert>
#include <cstdint>
#include <thread>
extern "C" {
#include "chan.h"
}

int main() {
  chan_t* chan = chan_init(0);
  int got[2] = {0, 0};
  std::thread one([&] { assert(chan_recv_int32(chan, &got[0]) == 0); });
  std::thread two([&] { assert(chan_recv_int32(chan, &got[1]) == 0); });
  assert(chan_send_int32(chan, 1) == 0);
  assert(chan_send_int32(chan, 2) == 0);
  one.join();
  two.join();
  assert(got[0] + got[1] == 3);
  chan_dispose(chan);
}
