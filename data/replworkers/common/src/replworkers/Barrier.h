#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace replworkers {

// Where a number of threads wait for each other, again and again.
class Barrier {
public:
  explicit Barrier(std::size_t parties) : parties(parties) {}

  void await();

private:
  std::mutex monitor;
  std::condition_variable opened;
  const std::size_t parties;
  std::size_t arrived = 0;
  unsigned generation = 0;
};

} // namespace replworkers
