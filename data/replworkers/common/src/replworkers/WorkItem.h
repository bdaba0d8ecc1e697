#pragma once

namespace replworkers {

// A piece of the interval over which a function is integrated.
struct WorkItem {
  double left;
  double right;
};

} // namespace replworkers
