#include "reex/records/search.h"

#include <algorithm>
#include <cmath>

#include "reex/records/checked.h"

namespace reex {

namespace {

constexpr Checked k_checked("search");

std::uint32_t read_nodes_used(const SearchState& shared) {
  return k_checked.at_most(shared.nodes_used.load(std::memory_order_relaxed), k_max_nodes,
                           "the number of nodes");
}

std::uint32_t read_level(const std::uint32_t& place) {
  return k_checked.at_most(fetch(place), k_max_level - 1, "a number of preemptions");
}

// The fewest preemptions of the schedules that are left.
class FewestLeft {
public:
  FewestLeft(const SearchState& shared, const FrontierStore& store)
      : m_shared(shared), m_store(store), m_nodes(read_nodes_used(shared)), m_visits_left(m_nodes) {}

  std::optional<std::uint32_t> find() {
    if (k_checked.flag(m_shared.dropped, "the mark of schedules dropped"))
      note(fetch(m_shared.least_dropped));
    if (const std::uint32_t cut_at = fetch(m_shared.cut_at); cut_at != 0) note(cut_at);
    for (const InFlight& one : m_shared.in_flight) {
      if (!k_checked.flag(one.active, "the mark of an execution")) continue;
      if (k_checked.flag(one.sample, "the mark of a sample")) continue;
      const std::uint32_t number = fetch(one.node);
      note(number == 0 ? 0 : node(number).preemptions);
    }
    for (std::uint32_t side = 0; side < k_bucket_rows; ++side) {
      const std::uint32_t top = read_level(m_shared.top_level[side]);
      for (std::uint32_t level = 0; level <= top; ++level) visit_bucket(fetch(m_shared.head[side][level]));
    }
    return m_fewest;
  }

private:
  void visit_bucket(std::uint32_t number) {
    while (number != 0) {
      if (m_visits_left-- == 0) k_checked.damaged("a list of schedules has no end");
      const Node at = node(number);
      note(at.preemptions);
      number = at.next;
    }
  }
  Node node(std::uint32_t number) const {
    k_checked.at_most(number, std::uint64_t{m_nodes} - 1, "a node");
    return fetch(m_store.node[number]);
  }
  void note(std::uint32_t preemptions) { m_fewest = std::min(m_fewest.value_or(preemptions), preemptions); }

  const SearchState& m_shared;
  const FrontierStore& m_store;
  std::uint32_t m_nodes;
  std::uint32_t m_visits_left;
  std::optional<std::uint32_t> m_fewest;
};

} // namespace

SearchProgress read_search_progress(const SearchState& shared) {
  return {.pending = k_checked.at_most(fetch(shared.pending), k_max_nodes, "the number of schedules"),
          .level = read_level(shared.level),
          .bound = fetch(shared.bound),
          .iteration = fetch(shared.iteration)};
}

EstimateCopy read_estimate(const SearchState& shared) {
  EstimateCopy copy{.state = std::make_unique_for_overwrite<EstimateState>(),
                    .in_flight = fetch(shared.running) != 0};
  const EstimateState& from = shared.estimate;
  EstimateState& to = *copy.state;
  to.measured = k_checked.flag(from.measured, "the mark of an estimate");
  to.length = fetch(from.length);
  for (unsigned i = 0; i < k_estimated_bounds; ++i) {
    to.executed[i] =
        k_checked.at_most(fetch(from.executed[i]), k_most_executions, "the number of executions");
    to.explored[i] = fetch(from.explored[i]);
    to.pending[i] = fetch(from.pending[i]);
    if (!std::isfinite(to.explored[i]) || to.explored[i] < 0) k_checked.damaged("a share is no number");
  }
  return copy;
}

bool read_overflow(const SearchState& shared) {
  return k_checked.flag(shared.overflow, "the mark of a full frontier");
}

SearchLimit read_limit(const SearchState& shared) {
  const SearchLimit copy = fetch(shared.limit);
  k_checked.flag(copy.set, "the mark of a limit");
  k_checked.flag(copy.ends_round, "the mark of a round's limit");
  return copy;
}

SearchClaims read_claims(bool samples, const SearchConfig& config, const SearchState& shared,
                         const FrontierStore& store) {
  const bool overflow = read_overflow(shared);
  const bool started = k_checked.flag(shared.started, "the mark of a search begun");
  const bool bound_pruned = k_checked.flag(shared.bound_pruned, "the mark of the bound");
  const bool dropped = k_checked.flag(shared.dropped, "the mark of schedules dropped");
  SearchClaims claims;
  if (samples || !started) return claims;
  const std::uint64_t pending = read_search_progress(shared).pending;
  const std::optional<std::uint32_t> fewest = FewestLeft(shared, store).find();
  claims.exhausted =
      pending == 0 && fetch(shared.running) == 0 && !dropped && !bound_pruned && !overflow && !fewest;
  if (overflow) return claims;
  if (!fewest)
    claims.bound_completed =
        config.bound != k_no_bound && !config.deepens ? config.bound : fetch(shared.most_preemptions);
  else if (*fewest > 0)
    claims.bound_completed = *fewest - 1;
  return claims;
}

ExecutionCounts read_execution(const SearchWorker& shared) {
  return {.decisions =
              k_checked.at_most(fetch(shared.run.decision_count), k_max_decisions, "the number of choices"),
          .preemptions = fetch(shared.run.preemptions)};
}

} // namespace reex
