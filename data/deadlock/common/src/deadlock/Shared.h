#pragma once

#include <atomic>
#include <mutex>

namespace deadlock {

// What the processes share.
struct Shared {
  std::mutex lock1;
  std::mutex lock2;
  std::atomic<int> state{0}; // the steps of all processes
};

} // namespace deadlock
