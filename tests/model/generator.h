// Seeded random programs, small enough for the brute-force model and for an explorer without a bound. The
// same seed gives the same program everywhere.
#pragma once

#include <cstdint>

#include "tests/model/program.h"

namespace reex::model {

struct GeneratorLimits {
  std::uint64_t min_schedules = 8;
  std::uint64_t max_schedules = 20'000; // of the unbounded space, without reduction
  bool only_unambiguous = true;         // outcomes do not depend on the readings abort_is_a_point and
                                        // wake_one_of_a_deadline of machine.h
};

// Every program of the language's rules: who unlocks holds the lock, waits have their mutex, plain variables
// are guarded by one mutex each, detached threads are never joined, everybody else is.
Program generate(std::uint64_t seed, const GeneratorLimits& limits = {});

} // namespace reex::model
