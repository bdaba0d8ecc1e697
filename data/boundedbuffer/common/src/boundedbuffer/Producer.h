#pragma once

#include <thread>

#include "boundedbuffer/Buffer.h"

namespace boundedbuffer {

// A thread that puts a number of items into a buffer.
class Producer {
public:
  Producer(Buffer& buf, int items) : buf(buf), items(items) {}

  void start() { thread = std::thread(&Producer::run, this); }
  void join() { thread.join(); }

private:
  void run() {
    for (int item = 0; item < items; ++item) buf.put(item);
  }

  Buffer& buf;
  const int items;
  std::thread thread;
};

} // namespace boundedbuffer
