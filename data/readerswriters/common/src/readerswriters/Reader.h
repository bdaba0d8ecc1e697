#pragma once

#include <thread>

#include "readerswriters/RWVSN.h"

namespace readerswriters {

// A thread that reads a number of times.
class Reader {
public:
  static constexpr int forEver = 0;

  Reader(RWVSN& shared, int bound) : shared(shared), bound(bound) {}

  void start() { thread = std::thread(&Reader::run, this); }
  void join() { thread.join(); }

private:
  void run() {
    if (bound == forEver) {
      for (;;) shared.read();
    }
    for (int turn = 0; turn < bound; ++turn) shared.read();
  }

  RWVSN& shared;
  const int bound;
  std::thread thread;
};

} // namespace readerswriters
