// The brute-force oracle: every outcome of a small program with the fewest preemptions that reach it. A
// switch costs one preemption iff the thread that ran last is still enabled and its pending operation does
// not give way.
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

// 0-1 breadth-first search over (state, thread that ran last): exhaustive, each state expanded once.
// Throws TooLarge beyond `max_states` states.
Outcomes explore(const Program& program, Reading reading = {}, std::size_t max_states = 2'000'000);

// How many schedules end with each number of preemptions; element i counts those with i of them. Counts
// saturate. The program must have no cycle of states (an endless loop). Throws TooLarge likewise.
std::vector<std::uint64_t> count_schedules(const Program& program, Reading reading = {},
                                           std::size_t max_states = 2'000'000);

// The same two answers from plain enumeration: each schedule is executed from the start, nothing is
// remembered.
struct Enumeration {
  Outcomes outcomes;
  std::vector<std::uint64_t> schedules;
};
Enumeration enumerate(const Program& program, Reading reading = {}, std::uint64_t max_schedules = 200'000);

Outcomes within(const Outcomes& outcomes, unsigned bound);
std::string to_text(const Outcomes& outcomes); // one outcome a line, in the syntax of `expect`

} // namespace reex::model
