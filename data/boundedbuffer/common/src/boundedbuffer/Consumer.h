#pragma once

#include <thread>

#include "boundedbuffer/Buffer.h"

namespace boundedbuffer {

// A thread that takes a number of items from a buffer.
class Consumer {
public:
  Consumer(Buffer& buf, int items) : buf(buf), items(items) {}

  void start() { thread = std::thread(&Consumer::run, this); }
  void join() { thread.join(); }

private:
  void run() {
    for (int item = 0; item < items; ++item) buf.get();
  }

  Buffer& buf;
  const int items;
  std::thread thread;
};

} // namespace boundedbuffer
