// Generates random programs from seeds. The programs are small enough for the brute-force model and for an
// exploration without a bound. The same seed gives the same program everywhere.
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

// The programs follow the rules of the language: a thread unlocks only what it holds, a wait holds its mutex,
// one mutex guards each plain variable, detached threads are never joined, and all other threads are joined.
Program generate(std::uint64_t seed, const GeneratorLimits& limits = {});

// Programs of generate() with at least one wait of a condition, and few schedules: spurious wake-ups multiply
// them.
Program generate_waits(std::uint64_t seed);

// Programs whose threads wait in loops: for an atomic, for what they read under a mutex, with trylocks, and
// with tries of a semaphore. They have few states; some have executions that never end.
Program generate_spins(std::uint64_t seed);

// Programs of groups of threads that have nothing to do with each other, or only in some executions.
Program generate_apart(std::uint64_t seed);

// Programs of generate() with events in between, and a schedule of them.
Program generate_events(std::uint64_t seed);

} // namespace reex::model
