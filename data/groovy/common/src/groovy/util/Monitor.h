#pragma once

#include <condition_variable>
#include <mutex>

namespace groovy::util {

// A lock, and those who wait for what it guards.
struct Monitor {
  std::mutex mutex;
  std::condition_variable changed;
};

} // namespace groovy::util
