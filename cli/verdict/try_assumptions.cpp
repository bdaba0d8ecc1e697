#include "cli/verdict/try_assumptions.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/terminal/interruption.h"
#include "reex/explorer/explore.h"
#include "reex/run/verdict.h"

namespace reex {
namespace {

using Time = std::chrono::steady_clock::time_point;

constexpr std::uint64_t k_schedules = 1000;
constexpr std::chrono::seconds k_time{1};

struct Assumption {
  const char* gap;
  const char* option; // does without it
  const char* trial;
  bool ExploreOptions::*without;
};
constexpr Assumption k_assumptions[] = {
    {"timeouts", "--timeouts", "in a trial of them", &ExploreOptions::timeouts},
    {"sleeps", "--sleeps any", "in a trial without that", &ExploreOptions::sleeps_any},
};
constexpr Assumption k_no_spurious_wakes{"spurious", "--spurious", "in a trial of them",
                                         &ExploreOptions::spurious};

class Quiet : public Observer {
public:
  bool interrupted() override { return interruption_requested(); }
};

TestRun explore_without(const Assumption& assumption, const TestRun& run, ExploreOptions options, Time end) {
  options.*assumption.without = true;
  options.test_name = run.name;
  options.promoted = run.promoted_accesses;
  options.max_schedules = std::min(options.max_schedules.value_or(k_schedules), k_schedules);
  options.deadline = end;
  options.first_deadline.reset();
  options.keep_going = 1;
  options.failures_directory.clear();
  options.keeps_schedule = {};
  options.settles = {};
  options.schedule_log.clear();
  options.collect_outcomes = false;
  options.state_file.clear();
  options.resume = false;
  options.learns = false;
  options.profile.reset();
  Quiet observer;
  return explore(options, observer);
}

const Assumption* assumption_of(const Gap& gap) {
  const auto* const found =
      std::find_if(std::begin(k_assumptions), std::end(k_assumptions),
                   [&](const Assumption& assumption) { return gap.kind == assumption.gap; });
  return found == std::end(k_assumptions) ? nullptr : found;
}

// "; in a trial of them, the test fails (abort, schedule 9)", or "".
std::string failure_without(const Assumption& assumption, const TestRun& run, const ExploreOptions& options,
                            std::optional<Time> end) {
  const Time now = std::chrono::steady_clock::now();
  if (interruption_requested() || (end && now >= *end)) return "";
  const TestRun tried =
      explore_without(assumption, run, options, end ? std::min(*end, now + k_time) : now + k_time);
  const auto fails = std::find_if(tried.failures.begin(), tried.failures.end(), [&](const Failure& failure) {
    return !options.is_suppressed || !options.is_suppressed(failure);
  });
  if (tried.error || fails == tried.failures.end()) return "";
  return fmt::format("; {}, the test fails ({}, schedule {})", assumption.trial, fails->kind,
                     fails->schedule);
}

std::string remedy_of(const Assumption& assumption) { return fmt::format("{} shows it", assumption.option); }

// What is left out of the whole is for the whole to say.
bool is_part(const ExploreOptions& options) { return options.shard || !options.portfolio.empty(); }

} // namespace

std::chrono::milliseconds time_for_trials(const ExploreOptions& options, std::chrono::milliseconds budget) {
  const bool assumes = !options.timeouts || !options.sleeps_any || !options.spurious;
  if (!assumes || is_part(options) || !options.deepens || !options.uses_up_time) return {};
  return std::min<std::chrono::milliseconds>(budget / 20, k_time);
}

void try_assumptions(TestRun& run, const ExploreOptions& options, std::optional<Time> end) {
  if (is_part(options) || verdict_of(run) != Verdict::passed) return;
  for (Gap& gap : run.gaps)
    if (const Assumption* const assumption = assumption_of(gap); assumption != nullptr)
      if (const std::string failure = failure_without(*assumption, run, options, end); !failure.empty()) {
        gap.detail += failure;
        gap.remedy = remedy_of(*assumption);
      }
  if (run.condition_waits.empty()) return;
  if (const std::string failure = failure_without(k_no_spurious_wakes, run, options, end); !failure.empty())
    run.gaps.push_back({k_no_spurious_wakes.gap,
                        "spurious wake-ups of " + run.condition_waits + " were not tried" + failure,
                        remedy_of(k_no_spurious_wakes)});
}

} // namespace reex
