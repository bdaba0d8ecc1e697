#include "reex/explorer/configure.h"

#include <algorithm>
#include <climits>

#include "heuristics/table.h"
#include "reex/search/search.h"

namespace reex {
namespace {

// The limit of this shard. Shards that sample share the numbering of the samples, so all stop at the same
// number. Otherwise each shard gets its part of the limit.
std::uint64_t most_schedules(const ExploreOptions& options) {
  const std::uint64_t all = options.max_schedules.value_or(0);
  if (!options.shard || all == 0 || row_of(options.strategy).samples()) return all;
  return all / options.shard->count + (options.shard->index <= all % options.shard->count ? 1 : 0);
}

// What the first execution of each shard would show, and each would have another first one.
void take_limits(RunConfig& config, const LearnedProfile& profile) {
  if (config.learns_patience && profile.patience) {
    config.patience = *profile.patience;
    config.learns_patience = false;
  }
  if (config.first_max_steps != 0 && profile.max_steps != 0) {
    config.max_steps = profile.max_steps;
    config.first_max_steps = 0;
  }
}

} // namespace

void configure(RunConfig& config, const ExploreOptions& options) {
  config.task = Task::explore;
  config.isolation = options.isolation == Isolation::fork ? IsolationMode::fork : IsolationMode::restore;
  config.accesses = visible_accesses(options.accesses);
  config.races = options.races != Races::off;
  config.promotes = config.races && options.accesses == Accesses::racy;
  config.timeouts = options.timeouts;
  config.sleeps_any = options.sleeps_any;
  config.spurious = options.spurious;
  config.reuse = options.reuse;
  config.code_is_entered = options.code_is_entered || !config.promotes;
  config.framework = options.framework;
  config.collect_outcomes = options.collect_outcomes;
  config.max_schedules = most_schedules(options);
  config.max_steps = options.max_steps;
  config.slice = options.slice;
  config.patience = options.patience.value_or(0);
  config.learns_patience = !options.patience;
  config.first_max_steps = options.first_max_steps;
  config.gives_way_after = options.gives_way_after;
  config.memory_limit = options.memory_limit.value_or(0);
  // Only the parent knows whether a failure is suppressed; it then ends the search by itself.
  config.keep_going = options.is_suppressed ? 0 : options.keep_going;
  config.search.strategy = options.strategy;
  config.search.reduction = options.reduction;
  config.search.audit = options.audit;
  config.search.bound = options.bound.value_or(k_no_bound);
  config.search.deepens = options.deepens && options.bound;
  config.search.iterations = options.iterations;
  config.search.seed = options.seed;
  config.search.depth = options.depth;
  config.search.interesting = options.interesting;
  if (options.shard) {
    config.search.shard = options.shard->index - 1;
    config.search.shards = options.shard->count;
  }
  config.search.prioritization = prioritization_of(options.heuristic).value_or(Prioritization{});
  if (options.profile) take_limits(config, *options.profile);
}

void configure_member(RunConfig& config, const PortfolioMember& member) {
  config.search.strategy = member.strategy;
  config.search.seed = member.seed;
  config.search.prioritization = prioritization_of(member.heuristic).value_or(Prioritization{});
  config.search.deepens = config.search.deepens && row_of(member.strategy).takes_turns;
  if (!row_of(member.strategy).bounded) config.search.bound = k_no_bound;
}

VisibleAccesses visible_accesses(Accesses accesses) {
  switch (accesses) {
  case Accesses::sync:
    return VisibleAccesses::sync;
  case Accesses::racy:
    return VisibleAccesses::racy;
  case Accesses::all:
    return VisibleAccesses::all;
  }
  return VisibleAccesses::sync;
}

} // namespace reex
