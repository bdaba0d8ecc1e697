#pragma once

#include <thread>

#include "readerswriters/RWVSN.h"

namespace readerswriters {

// A thread that writes a number of times.
class Writer {
public:
  static constexpr int forEver = 0;

  Writer(RWVSN& shared, int bound) : shared(shared), bound(bound) {}

  void start() { thread = std::thread(&Writer::run, this); }
  void join() { thread.join(); }

private:
  void run() {
    if (bound == forEver) {
      for (;;) shared.write();
    }
    for (int turn = 0; turn < bound; ++turn) shared.write();
  }

  RWVSN& shared;
  const int bound;
  std::thread thread;
};

} // namespace readerswriters
