#include "reex/explorer/left.h"

#include "reex/records/search.h"
#include "reex/records/status.h"
#include "reex/search/turns.h"

namespace reex {

std::vector<Left> schedules_left(const SearchConfig& config, const SearchState& search, const Status& status,
                                 double seconds) {
  if (row_of(config.strategy).samples() || config.shards != 1) return {};
  BoundEstimate estimates[k_estimated_bounds];
  const EstimateCopy estimate = read_estimate(search);
  const std::uint32_t now = read_search_progress(search).bound;
  const std::uint32_t bound = config.deepens && now > config.bound ? now : config.bound;
  const unsigned count = read_estimates(*estimate.state, bound, estimate.in_flight, estimates);
  const StatusCounts counts = read_counts(status);
  const double members = row_of(config.strategy).takes_turns ? k_members : 1;
  const double done = static_cast<double>(counts.schedules + counts.pruned) / members +
                      static_cast<double>(counts.followed); // of the frontier
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
