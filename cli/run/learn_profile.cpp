#include "cli/run/learn_profile.h"

#include <fmt/format.h>

#include "cli/run/explore_early.h"
#include "cli/terminal/command_error.h"
#include "reex/explorer/explore.h"
#include "reex/explorer/profile_file.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

using Time = std::chrono::steady_clock::time_point;

constexpr std::uint64_t k_lessons = 64;

// Under auto, surw is the member that learns. The samples have another seed than those that follow, which
// would otherwise begin with nearly the same schedules.
ExploreOptions options_of_lessons(const ExploreOptions& options) {
  ExploreOptions lessons = options;
  if (row_of(options.strategy).takes_turns) {
    lessons.strategy = SearchStrategy::surw;
    lessons.iterations = 0;
    if (options.deepens) lessons.bound.reset();
    lessons.deepens = false;
  }
  lessons.learns = true;
  lessons.seed = ~options.seed;
  lessons.jobs = 1;
  lessons.shard.reset();
  lessons.max_schedules = k_lessons;
  lessons.gives_way_after = 0;
  lessons.schedule_log.clear();
  lessons.state_file = state_of_lessons(options.state_file);
  if (const Time now = std::chrono::steady_clock::now(); options.deadline && *options.deadline > now)
    lessons.deadline = now + (*options.deadline - now) / 2;
  return lessons;
}

// The profile of the file, which another run may have written first.
std::shared_ptr<LearnedProfile> keep(const std::string& file, const LearnedProfile& learned,
                                     const ExploreOptions& options) {
  write_profile_file(file, learned, options);
  auto profile = read_profile_file(file, options);
  if (!profile) throw ProfileError("it was removed");
  return profile;
}

} // namespace

TestRun explore_with_profile(const std::string& file, bool resume, ExploreOptions options,
                             const std::function<TestRun(const ExploreOptions&)>& explore) try {
  const std::string state = state_of_lessons(options.state_file);
  const bool goes_on = resume && has_state(state);
  if (!goes_on) remove_state(state);
  options.profile = read_profile_file(file, options);
  std::optional<TestRun> learned;
  if (!options.profile || goes_on) {
    ExploreOptions lessons = options_of_lessons(options);
    lessons.profile.reset();
    lessons.resume = goes_on;
    if (options.profile) lessons.max_schedules = 1; // they are over, and tell again what they have found
    learned = explore(lessons);
    const bool ends_here = learned->ended != EndReason::schedule_limit && learned->ended != EndReason::budget;
    if (ends_here) {
      learned->notes.push_back(fmt::format("this was while it learned what {} is to keep", file));
      learned->strategy = row_of(options.strategy).name;
      return std::move(*learned);
    }
    if (!options.profile && learned->learned) options.profile = keep(file, *learned->learned, options);
  }
  TestRun run = explore(options);
  run.notes.push_back(
      options.profile ? fmt::format("the samples are drawn from the profile {}", file)
                      : fmt::format("there was no time to learn {}: the samples learn for themselves", file));
  if (!learned) return run;
  run.notes.push_back(
      fmt::format("{} were executed before, to learn it",
                  learned->schedules == 1 ? "1 schedule" : grouped(learned->schedules) + " schedules"));
  join_early(run, *learned);
  return run;
} catch (const ProfileError& error) {
  throw UsageError(fmt::format("--profile {}: {}", file, error.what()));
}

} // namespace reex
