// Figure 4.2 of the dissertation, transcribed with sets and whole paths. It works on a recorded space of
// schedules. It is slow and simple on purpose, because the search is compared with it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "heuristics/table.h"

namespace reex::capp_test {

// One choice, as in the schedule log. The ranks are in this order: the current thread if it is enabled, then
// the other threads by ascending number.
struct Point {
  bool run = true; // false: a notification chooses the thread to wake
  bool current = false;
  bool free = false;
  std::vector<unsigned> bits;
  bool operator==(const Point&) const = default;
};

using Path = std::vector<unsigned>; // the chosen ranks

// All schedules within a bound: the point after each path, and the paths in the order of their execution.
struct Space {
  std::map<Path, Point> points;
  std::vector<Path> executed;
};

Space read_log(const std::string& path);

// The order in which Figure 4.2 executes the schedules of the space.
std::vector<Path> order_of(const Space& space, const Heuristic& heuristic, unsigned bound);

} // namespace reex::capp_test
