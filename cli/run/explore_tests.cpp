#include "cli/run/explore_tests.h"
#include "reex/explorer/explore.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/run/explore_early.h"
#include "cli/run/interruption.h"
#include "cli/run/judge_findings.h"
#include "cli/run/run_observer.h"
#include "cli/run/run_plan.h"
#include "cli/run/understand.h"
#include "cli/terminal/command_error.h"
#include "cli/terminal/output.h"
#include "heuristics/table.h"
#include "impact/choose_heuristics.h"
#include "impact/sources/compiler_options.h"
#include "reex/process/control_memory.h"
#include "reex/run/sha256.h"
#include "reex/schedules/schedule_file.h"
#include "report/failure_text.h"

namespace reex {
namespace {

// The heuristic: "" (Basic) without a change, and for a change without code points.
std::string heuristic_of(const ExploreTests& job) {
  if (job.change == nullptr || job.change->impact.matcher.empty()) return "";
  if (job.options.heuristic == k_auto_heuristic) return choose_heuristics(job.change->impact).names;
  const std::string name =
      job.options.heuristic.empty() ? std::string(default_heuristic().name) : job.options.heuristic;
  return heuristic_needs_change(name) ? name : "";
}

// The order of exploration, by the change as far as it is known.
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
  explore.framework = job.tests.framework;
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

FindingPolicy finding_policy(const ExploreTests& job, const ExploreOptions& explore) {
  return {.races = explore.races,
          .strict = job.options.strict_findings,
          .runtime = job.runtime,
          .frame_bits = explore.frame_bits,
          .base_binary = job.options.base_binary};
}

// Where it is not known whether a race is of the change.
void say_what_is_unknown(const ExploreTests& job, FindingPolicy& policy) {
  policy.unjudged.clear();
  policy.remedy.clear();
  policy.unparsed.clear();
  if (job.change == nullptr) return;
  if (const std::string file = impact::file_of_compiler_options(job.change->impact.changes); !file.empty()) {
    policy.unjudged = file + " changes options of the compiler, which may have an impact on any line";
    policy.remedy = "--base-binary compares with a build of the base; --races fail lets all races count";
    return;
  }
  if (job.change->impact.no_cpp_changes) return;
  if (job.change->beside) {
    policy.unjudged = "its analysis took longer than the run";
    policy.remedy = "give a larger --budget, or --wait-for-impact";
  } else if (!job.binary.has_debug_info) {
    policy.unjudged = "the test has no debug information";
    policy.remedy = "build it with -g, and do not strip it";
  } else {
    policy.unparsed = job.change->impact.unparsed;
  }
}

// The promoted accesses of the test in a report.
std::vector<PromotedAccess> promoted_for(const std::string& test, const RunFile& report) {
  for (const TestRun& run : report.runs)
    if (run.name == test) return run.promoted_accesses;
  throw UsageError(fmt::format("--promote-from: {} has nothing on {}", report.name,
                               test_title(report.runs.front().binary, test)));
}

// If a schedule file cannot be written, this is not an error of reex.
TestRun explore_test(const ExploreOptions& options, RunObserver& observer) {
  try {
    return explore(options, observer);
  } catch (const ScheduleFileError& error) {
    throw UsageError(error.what());
  } catch (const ResumeError& error) {
    throw UsageError(fmt::format("--resume: {}: leave --resume out to begin anew", error.what()));
  } catch (const std::system_error& error) {
    throw UsageError(
        fmt::format("the run's state cannot be kept ({}): choose another folder with -o DIR", error.what()));
  }
}

bool is_analysed(const ExploreTests& job) { return job.change == nullptr || !job.change->beside; }

void complete_change(const ExploreTests& job, ExploreOptions& options) {
  take_analysis(*job.change);
  set_order(options, job);
  if (job.on_analysed) job.on_analysed();
}

// False: it takes longer, or the user wants an end.
bool wait_for_analysis(ChangeBeside& beside, Time end) {
  constexpr std::chrono::milliseconds k_step{20};
  while (!interruption_requested() && std::chrono::steady_clock::now() < end)
    if (beside.wait_until(std::min(end, std::chrono::steady_clock::now() + k_step))) return true;
  return beside.is_done();
}

// Most changes are analysed by then.
constexpr std::chrono::milliseconds k_longest_wait{5000};

// How long a run that ended early waits for the analysis. The report of a failure tells what the change has
// an impact on, and an analysis that is cut off would begin anew in the next run, and be cut off again.
Time end_of_wait(const TestRun& run, const ExploreOptions& options, std::optional<Time> end) {
  const Time last = end.value_or(Time::max());
  if (awaits_analysis(run, options)) return last;
  const Time now = std::chrono::steady_clock::now();
  return run.failures.empty() ? now : std::min(last, now + k_longest_wait);
}

// The order of the change is worth a short wait.
void await_analysis(const ExploreTests& job, ExploreOptions& options) {
  if (is_analysed(job)) return;
  const auto wait = job.options.budget ? std::min(*job.options.budget / 16, k_longest_wait) : k_longest_wait;
  if (wait_for_analysis(*job.change->beside, job.started + wait)) complete_change(job, options);
}

// A run that goes on begins with the tests that the one before has not begun.
std::vector<std::string> in_order(const ExploreTests& job) {
  std::vector<std::string> names = job.tests.names;
  if (!job.options.resume) return names;
  const auto begun = std::stable_partition(names.begin(), names.end(), [&](const std::string& test) {
    return !has_state(state_file_of(job, test));
  });
  if (begun == names.end()) say("--resume: no run of this test was interrupted, so this one begins anew");
  return names;
}

// A test whose share of the budget is shorter than one execution would tell nothing. It has more, and the
// tests that are left have less.
std::optional<Time> end_of_first(std::optional<Time> share, std::optional<Time> deadline, Time now) {
  constexpr std::chrono::seconds k_first{2};
  return share ? std::optional(std::min(*deadline, std::max(*share, now + k_first))) : std::nullopt;
}

// `end` is the end of the whole run, if it has one.
TestRun explore_with_change(const ExploreTests& job, ExploreOptions& options, RunObserver& observer,
                            std::optional<Time> end) {
  if (!is_analysed(job) && job.change->beside->is_done()) complete_change(job, options);
  if (is_analysed(job)) return explore_test(options, observer);
  EarlyRun early = explore_early(*job.change, options, observer,
                                 [&](const ExploreOptions& now) { return explore_test(now, observer); });
  const bool analysed = wait_for_analysis(*job.change->beside, end_of_wait(early.run, options, end));
  if (analysed) complete_change(job, options);
  if (!early.goes_on) {
    if (!early.run.error && early.run.ended != EndReason::not_begun) note_unordered(early.run, analysed);
    return std::move(early.run);
  }
  if (options.promoted.empty()) options.promoted = early.run.promoted_accesses;
  TestRun run = explore_test(options, observer);
  join_early(run, early.run);
  return run;
}

} // namespace

std::string state_file_of(const ExploreTests& job, const std::string& test) {
  std::string identity = job.binary.path + '\n' + test;
  for (const std::string& argument : job.arguments) identity += '\n' + argument;
  constexpr std::size_t k_digits = 16;
  return (std::filesystem::path(job.failures_folder).parent_path() / "runs" /
          (sha256_hex(identity).substr(0, k_digits) + ".state"))
      .string();
}

std::optional<Time> share_of_budget(std::optional<Time> deadline, Time now, std::size_t left) {
  if (!deadline || left == 0 || *deadline <= now) return deadline;
  return now + (*deadline - now) / static_cast<long>(left);
}

std::vector<TestRun> probe_tests(const ExploreTests& job) {
  constexpr std::uint64_t k_executions = 256;
  constexpr std::chrono::seconds k_longest{2};
  ExploreOptions options = base_options(job);
  options.max_schedules = k_executions;
  options.keep_going = 0;
  options.failures_directory.clear();
  options.schedule_log.clear();
  options.collect_outcomes = false;
  Observer nobody;
  std::vector<TestRun> runs;
  for (const std::string& name : job.tests.names) {
    options.test_name = name;
    options.deadline = std::chrono::steady_clock::now() + k_longest;
    runs.push_back(explore(options, nobody));
  }
  return runs;
}

std::vector<TestRun> explore_tests(const ExploreTests& job, ProgressPrinter& progress,
                                   const std::function<void(const TestRun&)>& done) {
  std::optional<Time> deadline;
  if (job.options.budget) // an analysis that went before leaves half of it
    deadline = std::max(job.started + *job.options.budget,
                        std::chrono::steady_clock::now() + *job.options.budget / 2);
  ExploreOptions explore_options = base_options(job);
  FindingPolicy policy = finding_policy(job, explore_options);
  Suppressions* const suppressions = job.suppressions;
  explore_options.keeps_schedule = [&](const Finding& finding) {
    return may_fail(finding, policy) && (suppressions == nullptr || !suppressions->covers(finding));
  };
  if (suppressions != nullptr && !suppressions->empty())
    explore_options.is_suppressed = [=](const Failure& failure) { return suppressions->covers(failure); };
  RunObserver observer(progress, job.events);
  std::vector<TestRun> runs;
  const std::vector<std::string> names = in_order(job);
  const std::size_t count = names.size();
  await_analysis(job, explore_options);
  for (std::size_t i = 0; i < count && !interruption_requested(); ++i) {
    const Time now = std::chrono::steady_clock::now();
    explore_options.test_name = names[i];
    explore_options.promoted.clear();
    if (job.races) explore_options.promoted = promoted_for(names[i], *job.races);
    explore_options.state_file = state_file_of(job, names[i]);
    explore_options.resume = job.options.resume && has_state(explore_options.state_file);
    explore_options.deadline = share_of_budget(deadline, now, count - i);
    explore_options.first_deadline = end_of_first(explore_options.deadline, deadline, now);
    const std::string title = test_title(job.binary.path, explore_options.test_name);
    if (!deadline || now < *deadline || explore_options.resume)
      progress.start(count == 1 ? title : fmt::format("test {} of {}, {}", i + 1, count, title), now,
                     explore_options.deadline);
    if (job.events != nullptr) job.events->begun(explore_options.test_name, i, count);
    runs.push_back(explore_with_change(job, explore_options, observer, deadline));
    if (suppressions != nullptr) suppressions->apply(runs.back());
    understand(runs.back(), {.runtime = job.runtime,
                             .frame_bits = explore_options.frame_bits,
                             .base_binary = job.options.base_binary});
    say_what_is_unknown(job, policy);
    judge_findings(runs.back(), policy);
    progress.finish();
    if (job.events != nullptr) job.events->ended(runs.back());
    done(runs.back());
  }
  return runs;
}

} // namespace reex
