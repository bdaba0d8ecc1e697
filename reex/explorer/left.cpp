#include "reex/explorer/left.h"

namespace reex {

std::vector<Left> schedules_left(const ControlBlock& control, double seconds) {
  const SearchConfig& config = control.config.search;
  if (row_of(config.strategy).samples() || config.shards != 1) return {};
  BoundEstimate estimates[k_estimated_bounds];
  const unsigned count =
      read_estimates(control.search.estimate, config.bound, control.search.running != 0, estimates);
  const double done = static_cast<double>(control.status.schedules.load() + control.status.pruned.load());
  std::vector<Left> result;
  for (unsigned i = 0; i < count; ++i) {
    Left left;
    if (estimates[i].bound != k_no_bound) left.bound = estimates[i].bound;
    left.executed = estimates[i].executed;
    if (estimates[i].left >= 0) {
      left.schedules = estimates[i].left;
      if (done > 0) left.seconds = estimates[i].left * seconds / done;
    }
    result.push_back(left);
  }
  return result;
}

} // namespace reex
