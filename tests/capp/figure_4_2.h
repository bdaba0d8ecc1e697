// Figure 4.2 of the dissertation, transcribed with sets and whole paths, over a space of schedules that was
// recorded. Slow and plain on purpose: the search is held against it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "heuristics/table.h"

namespace reex::capp_test {

// One choice as the schedule log has it. Ranks: the current thread first if it is enabled, then ascending
// ids.
struct Point {
  bool run = true; // false: a notification chooses whom to wake
  bool current = false;
  bool free = false;
  std::vector<unsigned> bits;
  bool operator==(const Point&) const = default;
};

using Path = std::vector<unsigned>; // ranks taken

// All schedules within a bound: which point stands where, and the paths in the order they were executed.
struct Space {
  std::map<Path, Point> points;
  std::vector<Path> executed;
};

Space read_log(const std::string& path);

// The order in which Figure 4.2 executes the schedules of the space.
std::vector<Path> order_of(const Space& space, const Heuristic& heuristic, unsigned bound);

} // namespace reex::capp_test
