#pragma once

#include <chrono>

#include "pool/Object.h"

namespace pool {

// An object, and since when it is idle.
struct ObjectTimestampPair {
  using Clock = std::chrono::steady_clock;

  Object* value = nullptr;
  Clock::time_point since{};
};

} // namespace pool
