// Reads the search (SearchState and SearchWorker in reex/search/search.h) and its frontier.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "reex/search/search.h"

namespace reex {

// At any time.
struct SearchProgress {
  std::uint64_t pending = 0;
  std::uint32_t level = 0;
  std::uint32_t bound = 0;     // that is explored now; 0: the search has not begun
  std::uint32_t iteration = 0; // of CAPP, from 0
};
SearchProgress read_search_progress(const SearchState& shared);

struct EstimateCopy {
  std::unique_ptr<EstimateState> state; // all but the choices of the first execution
  bool in_flight = false;
};
EstimateCopy read_estimate(const SearchState& shared);

SearchLimit read_limit(const SearchState& shared);

// What the search may claim, once its processes have ended.
struct SearchClaims {
  bool exhausted = false;
  std::optional<std::uint32_t> bound_completed; // the highest number of preemptions explored in full
};
// Cost: one visit of each node in the frontier. A list that does not end is damage.
// `samples`: the strategy has no frontier and claims nothing.
SearchClaims read_claims(bool samples, const SearchConfig& config, const SearchState& shared,
                         const FrontierStore& store);

// At any time: the frontier was full.
bool read_overflow(const SearchState& shared);

// Of the execution that a worker made last.
struct ExecutionCounts {
  std::uint32_t decisions = 0;
  std::uint32_t preemptions = 0;
};
ExecutionCounts read_execution(const SearchWorker& shared);

} // namespace reex
