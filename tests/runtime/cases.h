// What the programs of this folder can print, for each case.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace reex::runtime_test {

// How much of a case's schedules is explored.
enum class Space {
  whole,   // all, without a bound
  bounded, // those with up to two preemptions
  cut,     // those too, but for a loop that counts while it waits, and is cut: no bound is claimed
  large,   // there are many, so only the first ones and random ones are executed
  costly,  // there are many, and each takes a long time
};

struct Case {
  const char* program;
  const char* scenario;
  std::set<std::string> outcomes; // as in tool::outcomes_of
  Space space = Space::whole;
  const char* fork_reason = nullptr; // part of the reason why reex cannot restore; null: it can
};

const std::vector<Case>& cases();

} // namespace reex::runtime_test
