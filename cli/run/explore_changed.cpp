#include "cli/run/explore_changed.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "cli/run/explore_early.h"
#include "cli/run/explore_options.h"
#include "cli/run/learn_profile.h"
#include "cli/terminal/command_error.h"
#include "cli/terminal/interruption.h"
#include "reex/explorer/explore.h"
#include "reex/process/control_memory.h"
#include "reex/schedules/schedule_file.h"

namespace reex {
namespace {

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
// an impact on. An analysis that is cut off goes on in the next run: the units that were parsed are kept.
// Whether a race is of the change decides about the verdict only where nothing else has failed; beside other
// tests, it is judged when they have had their turns.
Time end_of_wait(const TestRun& run, const ExploreTests& job, const ExploreOptions& options,
                 std::optional<Time> end) {
  const Time last = end.value_or(Time::max());
  const Time now = std::chrono::steady_clock::now();
  if (!run.failures.empty()) return std::min(last, now + k_longest_wait);
  return job.tests.names.size() == 1 && awaits_analysis(run, options) ? last : now;
}

} // namespace

// If a schedule file cannot be written, this is not an error of reex.
TestRun explore_test(const ExploreOptions& options, RunObserver& observer) {
  try {
    return explore(options, observer);
  } catch (const ScheduleFileError& error) {
    throw UsageError(error.what());
  } catch (const ProfileError& error) {
    throw UsageError(
        fmt::format("--profile: {}: give another FILE, or remove it to learn a new one", error.what()));
  } catch (const ResumeError& error) {
    throw UsageError(fmt::format("--resume: {}: leave --resume out to begin anew", error.what()));
  } catch (const std::system_error& error) {
    throw UsageError(
        fmt::format("the run's state cannot be kept ({}): choose another folder with -o DIR", error.what()));
  }
}

bool is_analysed(const ExploreTests& job) { return job.change == nullptr || !job.change->beside; }

// The order of the change is worth a short wait.
void await_analysis(const ExploreTests& job, ExploreOptions& options) {
  if (is_analysed(job)) return;
  const auto wait = job.options.budget ? std::min(*job.options.budget / 16, k_longest_wait) : k_longest_wait;
  complete_change_by(job, options, job.started + wait);
}

bool complete_change_by(const ExploreTests& job, ExploreOptions& options, Time end) {
  if (!wait_for_analysis(*job.change->beside, end)) return false;
  complete_change(job, options);
  return true;
}

void complete_change_if_done(const ExploreTests& job, ExploreOptions& options) {
  if (!is_analysed(job) && job.change->beside->is_done()) complete_change(job, options);
}

TestRun explore_with_change(const ExploreTests& job, ExploreOptions& options, RunObserver& observer,
                            std::optional<Time> end) {
  complete_change_if_done(job, options);
  if (!job.options.profile.empty())
    return explore_with_profile(job.options.profile, job.options.resume, options,
                                [&](const ExploreOptions& now) { return explore_test(now, observer); });
  if (is_analysed(job)) return explore_test(options, observer);
  EarlyRun early = explore_early(*job.change, options, observer,
                                 [&](const ExploreOptions& now) { return explore_test(now, observer); });
  const bool analysed = complete_change_by(job, options, end_of_wait(early.run, job, options, end));
  if (!early.goes_on) {
    if (!early.run.error && early.run.ended != EndReason::not_begun) note_unordered(early.run, analysed);
    return std::move(early.run);
  }
  if (options.promoted.empty()) options.promoted = early.run.promoted_accesses;
  TestRun run = explore_test(options, observer);
  note_early(run, early.run);
  join_early(run, early.run);
  return run;
}

} // namespace reex
