// The brute-force oracle: every outcome of a small program, with the fewest preemptions that reach it. A
// switch costs one preemption if and only if the thread that ran last is still enabled and its pending
// operation is neither a yield nor a sleep. So does a spurious wake-up, always.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/model/machine.h"

namespace reex::model {

using Outcomes = std::map<Outcome, unsigned>; // -> fewest preemptions

struct TooLarge : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The failure of a state from which no execution comes to an end, although a thread can always run. It has no
// output: threads that spin may stand anywhere in their loops.
inline const Outcome k_livelock{"", 0, "livelock"};

// Stands among the outcomes of a program with a schedule if an execution satisfies it.
inline const Outcome k_satisfied{"", 0, "satisfied"};

// An exhaustive 0-1 breadth-first search over pairs of a state and the thread that ran last. Each pair is
// expanded once. Throws TooLarge if there are more than `max_states` states.
Outcomes explore(const Program& program, Reading reading = {}, std::size_t max_states = 2'000'000);

// The number of schedules for each number of preemptions: element i counts those with i preemptions. Counts
// saturate. The program must have no cycle of states (an endless loop). Throws TooLarge if there are more
// than `max_states` states.
std::vector<std::uint64_t> count_schedules(const Program& program, Reading reading = {},
                                           std::size_t max_states = 2'000'000);

// The same two results from plain enumeration: each schedule is executed from the start, and nothing is
// stored.
struct Enumeration {
  Outcomes outcomes;
  std::vector<std::uint64_t> schedules;
};
Enumeration enumerate(const Program& program, Reading reading = {}, std::uint64_t max_schedules = 200'000);

Outcomes within(const Outcomes& outcomes, unsigned bound);
std::string to_text(const Outcomes& outcomes); // one outcome on each line, in the syntax of `expect`

} // namespace reex::model
