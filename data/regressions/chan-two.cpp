// Two readers and two writers share a channel with room for one message.
#include <stdint.h>
extern "C" {
#include "chan.h"
}
#include <thread>
#include <vector>

int main() {
  chan_t* chan = chan_init(1);
  static int message;
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      void* got;
      chan_recv(chan, &got);
    });
    threads.emplace_back([&] { chan_send(chan, &message); });
  }
  for (auto& thread : threads) thread.join();
  chan_dispose(chan);
}
