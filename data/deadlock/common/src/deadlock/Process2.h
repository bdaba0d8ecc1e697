#pragma once

#include <thread>

#include "deadlock/Shared.h"

namespace deadlock {

// A thread that makes a step without the locks, and one under both.
class Process2 {
public:
  explicit Process2(Shared& shared) : shared(shared) {}

  void start() { thread = std::thread(&Process2::run, this); }
  void join() { thread.join(); }

private:
  void run();

  Shared& shared;
  std::thread thread;
};

} // namespace deadlock
