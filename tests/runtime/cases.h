// What the programs of this folder can print, case by case.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace reex::runtime_test {

// How much of a case's space is explored.
enum class Space {
  whole,   // without a bound, to its end
  bounded, // up to two preemptions
  large,   // so large that only its first schedules and random ones are run
  costly,  // large, and each schedule takes its time
};

struct Case {
  const char* program;
  const char* scenario;
  std::set<std::string> outcomes; // as in tool::outcomes_of
  Space space = Space::whole;
  const char* fork_reason = nullptr; // words of the reason why a restore in place is not enough; null: it is
};

const std::vector<Case>& cases();

} // namespace reex::runtime_test
