#pragma once

#include <cstddef>

namespace replworkers {

// How the workers share the pools.
struct Configuration {
  bool exclusive = false;   // one worker at a time works
  bool synchronous = false; // a job ends for all workers before its results are returned
  bool someValues = true;   // a worker may take fewer items than it asks for

  std::size_t numWorkers = 2;
  std::size_t numItems = 1; // that a worker takes at once
};

} // namespace replworkers
