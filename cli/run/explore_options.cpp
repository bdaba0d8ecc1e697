#include "cli/run/explore_options.h"

#include <algorithm>

#include "cli/run/run_plan.h"
#include "cli/verdict/judge_findings.h"
#include "heuristics/table.h"
#include "impact/choose_heuristics.h"

namespace reex {
namespace {

// The heuristic: "" (Basic) without a change, and for a change without code points.
std::string heuristic_of(const ExploreTests& job) {
  if (job.change == nullptr || job.change->impact.matcher.empty()) return "";
  if (is_auto_heuristic(job.options.heuristic))
    return choose_heuristics(job.change->impact).names.append(idle_of(job.options.heuristic));
  const std::string name =
      job.options.heuristic.empty() ? std::string(default_heuristic().name) : job.options.heuristic;
  return heuristic_needs_change(name) ? name : "";
}

} // namespace

void set_order(ExploreOptions& explore, const ExploreTests& job) {
  explore.heuristic = heuristic_of(job);
  const bool impacted = job.options.interesting.value_or(Interesting::impacted) == Interesting::impacted;
  explore.interesting = impacted && !explore.heuristic.empty() ? Interesting::impacted : Interesting::shared;
  explore.portfolio = job.options.portfolio;
  const bool by_change = job.change != nullptr && !job.change->impact.matcher.empty();
  for (PortfolioMember& member : explore.portfolio)
    if (!by_change || !heuristic_needs_change(member.heuristic)) member.heuristic.clear();
}

ExploreOptions base_options(const ExploreTests& job) {
  ExploreOptions explore;
  explore.binary = job.binary.path;
  explore.arguments = job.arguments;
  explore.framework = job.binary.framework; // also of a program as a whole
  explore.strategy = job.options.strategy;
  const StrategyRow& strategy = row_of(job.options.strategy);
  const auto given = [&](const char* option) { return job.options.given.contains(option); };
  explore.bound = strategy.bounded || given("bound") ? job.options.bound : std::nullopt;
  explore.iterations = job.options.iterations;
  explore.deepens = strategy.takes_turns && !given("bound") && explore.iterations == 0;
  explore.uses_up_time = job.options.uses_up_budget;
  constexpr std::chrono::milliseconds k_least{5000}; // of all tests together
  explore.deepens_for = k_least / std::max<std::size_t>(job.tests.names.size(), 1);
  set_order(explore, job);
  explore.seed = job.options.seed;
  explore.depth = job.options.depth;
  explore.max_schedules = job.options.schedules;
  if (strategy.max_schedules != 0 && !job.options.schedules && !job.options.budget)
    explore.max_schedules = strategy.max_schedules;
  explore.shard = job.options.shard;
  explore.max_steps = given("max-steps") ? job.options.max_steps : strategy.max_steps;
  explore.first_max_steps = given("max-steps") ? 0 : k_first_max_steps;
  // What a few executions show is thrown away unless one of them fails.
  const bool ends_at_a_failure = job.options.keep_going == 1 && !job.options.shard &&
                                 job.options.portfolio.empty() && !job.options.outcomes &&
                                 job.options.schedule_log.empty();
  if (explore.first_max_steps != 0 && ends_at_a_failure) explore.gives_way_after = k_first_gives_way_after;
  explore.memory_limit = job.options.memory_limit;
  explore.hang_after = job.options.hang_after;
  explore.jobs = job.options.jobs;
  explore.keep_going = job.options.keep_going;
  explore.accesses = job.options.accesses;
  explore.races = races_policy(job.options);
  explore.isolation = job.options.isolation;
  explore.reduction = job.options.reduction;
  explore.audit = job.options.audit;
  explore.timeouts = job.options.timeouts;
  explore.sleeps_any = job.options.sleeps_any;
  explore.slice = job.options.slice;
  explore.patience = job.options.patience;
  if (given("slice") && !explore.patience) explore.patience = 0;
  explore.spurious = job.options.spurious;
  explore.reuse = job.options.reuse;
  explore.collect_outcomes = job.options.outcomes;
  explore.schedule_log = job.options.schedule_log;
  explore.runtime = job.runtime;
  explore.failures_directory = job.failures_folder;
  if (job.change != nullptr) {
    explore.change_name = job.change->impact.base + '\n' + job.change->view.title;
    explore.frame_bits = [matcher = &job.change->impact.matcher](const Frame& frame) {
      return matcher->frame_bits(frame);
    };
  }
  return explore;
}

} // namespace reex
