// Time that passes while threads run (docs/semantics.md: "Time").
#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;

const std::string k_time = REEX_PROGRAMS "/time";

constexpr const char* k_passing[] = {"until_told",
                                     "ten_seconds",
                                     "a_hundred_naps",
                                     "timed_waits",
                                     "takes_longer_than_asked",
                                     "windows",
                                     "an_alarm",
                                     "alarms_before_threads",
                                     "own_processor_time",
                                     "idle_processor_time",
                                     "idle_beside_work",
                                     "processor_timers",
                                     "timer_of_another_process",
                                     "bombarded",
                                     "a_poll_of_plain_data",
                                     "a_poll_with_a_deadline",
                                     "gives_up",
                                     "read_at_six_places",
                                     "reads_before_each_wait"};

// The first schedules of the search, and samples, in both kinds of isolation. No execution is cut short.
TEST(Time, Passes) {
  for (const char* scenario : k_passing)
    for (const char* isolation : {"restore", "fork"})
      for (const char* strategy : {"icb", "random", "pct", "surw"}) {
        const Folder folder;
        const Ran ran = explore(folder,
                                {"--isolation", isolation, "--strategy", strategy, "--schedules", "12",
                                 "--seed", "1", "--races", "report"},
                                {k_time, scenario});
        EXPECT_EQ(ran.status, 0) << describe(ran);
        EXPECT_GT(ran.report["schedules"], 0u) << describe(ran);
        for (const auto& gap : ran.report["gaps"]) {
          EXPECT_NE(gap["kind"], "step-limit") << describe(ran);
          EXPECT_NE(gap["kind"], "spinning") << describe(ran);
        }
      }
}

// At bound 0, a loop without an end of its own does not keep the others from running.
TEST(Time, PassesWithoutPreemption) {
  for (const char* scenario :
       {"ten_seconds", "a_hundred_naps", "a_poll_with_a_deadline", "in_step_with_slices"})
    for (const char* jobs : {"1", "2"}) {
      const Folder folder;
      const Ran ran =
          explore(folder, {"--bound", "0", "--jobs", jobs, "--races", "report"}, {k_time, scenario});
      EXPECT_EQ(ran.status, 0) << describe(ran);
      EXPECT_EQ(ran.report["bound_completed"], 0) << describe(ran);
      EXPECT_EQ(ran.report["verdict"], "passed") << describe(ran);
    }
}

TEST(Time, StandsStillWithoutSlices) {
  const Folder folder;
  const Ran ran = explore(folder, {"--slice", "0", "--schedules", "2"}, {k_time, "ten_seconds"});
  EXPECT_EQ(ran.status, 3) << describe(ran);
  EXPECT_EQ(ran.report["gaps"][0]["kind"], "step-limit") << describe(ran);
}

// Work that comes to an end is done before a sleep is over, however many operations it takes. What the first
// execution has shown holds for those with preemptions, for samples and for several workers.
TEST(Time, IsPatientWithWorkThatEnds) {
  for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{
           {},
           {"--jobs", "2", "--reduction", "none", "--schedules", "300"},
           {"--isolation", "fork", "--reduction", "none", "--schedules", "50"},
           {"--strategy", "random", "--schedules", "50"}}) {
    const Folder folder;
    const Ran ran = explore(folder, options, {k_time, "long_work"});
    EXPECT_EQ(ran.status, 0) << describe(ran);
    EXPECT_GT(ran.report["control"]["scheduling_points"], 5000u) << describe(ran);
  }
  const Folder folder;
  const Ran ran = explore(folder, {"--slice", "500", "--bound", "0"}, {k_time, "long_work"});
  EXPECT_EQ(ran.status, 1) << describe(ran); // who gives a slice has no patience
}

// Time passes for all threads at once, whatever the strategy keeps back, and no wait ends long before shorter
// ones.
TEST(Time, PassesForAllAtOnce) {
  for (const char* scenario :
       {"starts_beside_others", "starts_beside_readers", "naps_beside_a_sleep", "heartbeats"})
    for (const char* isolation : {"restore", "fork"})
      for (const char* strategy : {"icb", "random", "pct", "pos", "surw"}) {
        const Folder folder;
        const Ran ran = explore(folder,
                                {"--isolation", isolation, "--strategy", strategy, "--schedules", "10",
                                 "--seed", "1", "--reduction", "none", "--races", "report"},
                                {k_time, scenario});
        EXPECT_EQ(ran.status, 0) << describe(ran);
        EXPECT_EQ(ran.report["inconclusive"]["step_limit"], 0) << describe(ran);
      }
}

// The naps beside a wait of a minute are as long as they should be, and a wait of an hour ends all the same.
TEST(Time, PassesInManyNaps) {
  for (const char* scenario : {"heartbeats_of_a_minute", "naps_beside_an_hour"})
    for (const auto& [isolation, strategy] : std::vector<std::pair<const char*, const char*>>{
             {"restore", "icb"}, {"restore", "random"}, {"restore", "pct"}, {"fork", "random"}}) {
      const Folder folder;
      const Ran ran = explore(folder,
                              {"--isolation", isolation, "--strategy", strategy, "--schedules", "2", "--seed",
                               "1", "--reduction", "none", "--races", "report"},
                              {k_time, scenario});
      EXPECT_EQ(ran.status, 0) << describe(ran);
      EXPECT_EQ(ran.report["schedules"], 2) << describe(ran);
      EXPECT_EQ(ran.report["inconclusive"]["step_limit"], 0) << describe(ran);
    }
}

// Who sleeps with a lock lets others have it in the end, in each schedule.
TEST(Time, DoesNotKeepTheLock) {
  for (const char* scenario : {"naps_with_the_lock", "naps_with_a_unit"})
    for (const char* strategy : {"icb", "auto", "random"}) {
      const Folder folder;
      const Ran ran =
          explore(folder, {"--strategy", strategy, "--schedules", "1000", "--seed", "1"}, {k_time, scenario});
      EXPECT_EQ(ran.status, 0) << describe(ran);
      EXPECT_EQ(ran.report["inconclusive"]["step_limit"], 0) << describe(ran);
    }
}

// Nobody else can run, and time does not jump over what a loop waits for.
TEST(Time, WhoPollsTheClockMissesNoTimeOfItsOwn) {
  for (const char* scenario : {"gives_up_a_lock_at_once", "gives_up_a_lock_and_yields"})
    for (const char* isolation : {"restore", "fork"})
      for (const char* strategy : {"icb", "random"}) {
        const Folder folder;
        const Ran ran =
            explore(folder, {"--isolation", isolation, "--strategy", strategy, "--schedules", "20"},
                    {k_time, scenario});
        EXPECT_EQ(ran.status, 0) << describe(ran);
        EXPECT_EQ(ran.report["inconclusive"]["step_limit"], 0) << describe(ran);
      }
}

// In default order, too, nobody is kept out by having a higher number than others.
TEST(Time, EveryThreadHasItsTurn) {
  for (const char* scenario : {"hands_over_the_turn", "each_worker_gets_a_job"})
    for (const char* strategy : {"icb", "auto"}) {
      const Folder folder;
      const Ran ran = explore(folder, {"--strategy", strategy, "--schedules", "10"}, {k_time, scenario});
      EXPECT_EQ(ran.status, 0) << describe(ran);
      EXPECT_EQ(ran.report["inconclusive"]["step_limit"], 0) << describe(ran);
    }
}

TEST(Time, AGuardOfSecondsOutlastsLongWork) {
  for (const char* scenario : {"guarded_by_seconds", "guarded_beside_pollers", "guarded_by_naps"})
    for (const char* strategy : {"icb", "random"}) {
      const Folder folder;
      const Ran ran = explore(folder, {"--strategy", strategy, "--schedules", "2", "--max-steps", "1000000"},
                              {k_time, scenario});
      EXPECT_EQ(ran.status, 0) << describe(ran);
      EXPECT_EQ(ran.report["inconclusive"]["step_limit"], 0) << describe(ran);
    }
}

TEST(Time, ALongerSleepDoesNotEndAGuard) {
  for (const char* strategy : {"icb", "random"}) {
    const Folder folder;
    const Ran ran = explore(folder, {"--strategy", strategy, "--schedules", "1", "--max-steps", "1000000"},
                            {k_time, "guarded_beside_a_long_sleep"});
    EXPECT_EQ(ran.status, 0) << describe(ran);
    EXPECT_EQ(ran.report["inconclusive"]["step_limit"], 0) << describe(ran);
  }
}

// How patient executions are is asked of each phase between times when all wait, and of no guard.
TEST(Time, IsPatientWithEachPhase) {
  for (const char* scenario : {"works_in_ten_phases", "works_beside_a_guard_first"})
    for (const char* strategy : {"icb", "random"}) {
      const Folder folder;
      const Ran ran = explore(folder, {"--strategy", strategy, "--reduction", "none", "--schedules", "3"},
                              {k_time, scenario});
      EXPECT_EQ(ran.status, 0) << describe(ran);
      EXPECT_EQ(ran.report["inconclusive"]["step_limit"], 0) << describe(ran);
      EXPECT_EQ(ran.report["schedules"], 3u) << describe(ran);
    }
}

// What has begun before threads and ends behind their joins has taken time.
TEST(Time, AJoinTakesTime) {
  for (const char* scenario : {"measures_until_the_join", "dates_behind_the_join"})
    for (const char* strategy : {"icb", "random"}) {
      const Folder folder;
      const Ran ran = explore(folder, {"--strategy", strategy, "--schedules", "100"}, {k_time, scenario});
      EXPECT_EQ(ran.status, 0) << describe(ran);
    }
}

// What a thread has done between two readings has taken time, too, and its clocks go on for who learns of it.
TEST(Time, WorkTakesTime) {
  for (const char* scenario : {"measures_alone", "measures_work", "measures_a_computation",
                               "dates_before_what_follows", "dates_before_its_signal"})
    for (const char* isolation : {"restore", "fork"})
      for (const char* reduction : {"auto", "none"}) {
        const Folder folder;
        const Ran ran = explore(
            folder, {"--strategy", "icb", "--isolation", isolation, "--reduction", reduction, "--bound", "1"},
            {k_time, scenario});
        EXPECT_EQ(ran.status, 0) << describe(ran);
        EXPECT_GE(ran.report["bound_completed"], 1) << describe(ran);
      }
}

// The longer others work, the more time has passed for who waits for them, however they take turns.
TEST(Time, WorkOfOthersTakesTime) {
  for (const char* strategy : {"icb", "random", "pct"})
    for (const char* isolation : {"restore", "fork"}) {
      const Folder folder;
      const Ran ran = explore(folder,
                              {"--strategy", strategy, "--isolation", isolation, "--schedules", "20",
                               "--seed", "1", "--bound", "1"},
                              {k_time, "measures_an_exchange"});
      EXPECT_EQ(ran.status, 0) << describe(ran);
      EXPECT_EQ(ran.report["schedules"], 20) << describe(ran);
    }
}

// Threads that measure what they do for themselves do not depend on each other.
TEST(Time, WorkIsMeasuredIndependently) {
  const Folder folder;
  const Ran ran = explore(folder, {"--strategy", "icb"}, {k_time, "measures_work"});
  EXPECT_EQ(ran.status, 0) << describe(ran);
  EXPECT_LE(ran.report["schedules"], 4) << describe(ran);
}

TEST(Time, NapsDoNotAddUpToAGuard) {
  for (const char* scenario : {"guarded_beside_naps", "guarded_behind_naps"})
    for (const char* strategy : {"icb", "random"}) {
      const Folder folder;
      const Ran ran = explore(folder,
                              {"--strategy", strategy, "--schedules", "2", "--seed", "1", "--patience", "0",
                               "--max-steps", "2000000"},
                              {k_time, scenario});
      EXPECT_EQ(ran.status, 0) << describe(ran);
      EXPECT_EQ(ran.report["inconclusive"]["step_limit"], 0) << describe(ran);
    }
}

TEST(Time, PassesAsAskedBeforeTheFirstThread) {
  for (const char* scenario : {"before_the_first", "polls_before_the_first"})
    for (const char* isolation : {"restore", "fork"}) {
      const Folder folder;
      const Ran ran = explore(folder, {"--isolation", isolation, "--schedules", "2"}, {k_time, scenario});
      EXPECT_EQ(ran.status, 0) << describe(ran);
    }
}

TEST(Time, PassesForEachOfACrowd) {
  for (const char* strategy : {"icb", "random", "pct"}) {
    const Folder folder;
    const Ran ran =
        explore(folder, {"--strategy", strategy, "--schedules", "2", "--seed", "1", "--reduction", "none"},
                {k_time, "works_in_crowds"});
    EXPECT_EQ(ran.status, 0) << describe(ran);
    EXPECT_EQ(ran.report["schedules"], 2) << describe(ran);
  }
}

// What threads read moves time by as much as they may wait for: it ends no longer wait of others, and hours
// do not pass.
TEST(Time, DoesNotRunAwayBesideReaders) {
  for (const char* scenario : {"waits_beside_readers", "read_until_told"})
    for (const char* isolation : {"restore", "fork"})
      for (const char* strategy : {"icb", "random", "pct", "surw"}) {
        const Folder folder;
        const Ran ran = explore(folder,
                                {"--isolation", isolation, "--strategy", strategy, "--schedules", "6",
                                 "--seed", "1", "--patience", "0"},
                                {k_time, scenario});
        EXPECT_EQ(ran.status, 0) << describe(ran);
        EXPECT_GT(ran.report["schedules"], 0u) << describe(ran);
      }
}

// A loop of minutes ends, and takes hundreds of thousands of operations at most.
TEST(Time, PassesInLoopsOfMinutes) {
  for (const char* scenario : {"works_for_minutes", "polls_for_minutes"})
    for (const char* isolation : {"restore", "fork"})
      for (const char* strategy : {"icb", "random"}) {
        const Folder folder;
        const Ran ran = explore(
            folder, {"--isolation", isolation, "--strategy", strategy, "--schedules", "2", "--seed", "1"},
            {k_time, scenario});
        EXPECT_EQ(ran.status, 0) << describe(ran);
        EXPECT_EQ(ran.report["schedules"], 2) << describe(ran);
        EXPECT_LT(ran.report["control"]["scheduling_points"], 1000000u) << describe(ran);
      }
}

TEST(Time, DoesNotRunAwayWhileOneThreadWorks) {
  const Folder folder;
  const Ran ran = explore(folder, {"--schedules", "2"}, {k_time, "logs_much"});
  EXPECT_EQ(ran.status, 0) << describe(ran);
}

TEST(Time, DoesNotRunAwayWhileOneThreadLooksAtTheClock) {
  for (const char* isolation : {"restore", "fork"})
    for (const char* strategy : {"icb", "random"}) {
      const Folder folder;
      const Ran ran = explore(folder, {"--isolation", isolation, "--strategy", strategy, "--schedules", "6"},
                              {k_time, "tells_of_progress"});
      EXPECT_EQ(ran.status, 0) << describe(ran);
      EXPECT_EQ(ran.report["schedules"], 6) << describe(ran);
    }
}

// Threads that are woken before their time see what time it is, and wait on. That is no reason for time to
// pass.
TEST(Time, StandsStillForThreadsThatAreWoken) {
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{"--schedules", "20"},
                                             {"--isolation", "fork", "--schedules", "20"},
                                             {"--strategy", "random", "--seed", "1", "--schedules", "50"},
                                             {"--strategy", "pct", "--seed", "1", "--schedules", "50"}}) {
    const Folder folder;
    const Ran ran = explore(folder, options, {k_time, "woken_in_vain"});
    EXPECT_EQ(ran.status, 0) << describe(ran);
    EXPECT_GT(ran.report["schedules"], 0u) << describe(ran);
  }
}

// What one thread changes behind the back of another that polls keeps that one from being put back, however
// many deadlines are left.
TEST(Time, WhoPollsTwoThingsSeesBoth) {
  for (const char* scenario : {"two_are_awaited", "two_are_awaited_by_locks"})
    for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{
             {"--schedules", "50"},
             {"--isolation", "fork", "--schedules", "20"},
             {"--strategy", "random", "--seed", "1", "--schedules", "50"}}) {
      const Folder folder;
      const Ran ran = explore(folder, options, {k_time, scenario});
      EXPECT_EQ(ran.status, 0) << describe(ran);
      EXPECT_EQ(ran.report["inconclusive"]["step_limit"], 0) << describe(ran);
    }
}

// An alarm that would end the process waits while threads wait for others that work, and not while one
// sleeps.
TEST(Time, AGuardIsNotOvertaken) {
  for (const char* isolation : {"restore", "fork"}) {
    const Words options{"--isolation", isolation, "--patience", "0", "--schedules", "3"};
    const Folder folder;
    const Ran waits = explore(folder, options, {k_time, "guarded_waits"});
    EXPECT_EQ(waits.status, 0) << describe(waits);
    const Ran sleeps = explore(folder, options, {k_time, "guarded_sleeps"});
    ASSERT_EQ(sleeps.status, 1) << describe(sleeps);
    EXPECT_EQ(sleeps.report["failures"][0]["kind"], "signal") << describe(sleeps);
  }
}

// A loop that works until a sleeper says stop would use up all patience: the first execution shows it, is
// thrown away, and no execution is patient.
TEST(Time, IsNotPatientWithWorkThatDoesNotEnd) {
  const Folder folder;
  const Ran ran = explore(folder, {"--bound", "0", "--races", "report"}, {k_time, "ten_seconds"});
  EXPECT_EQ(ran.status, 0) << describe(ran);
  EXPECT_EQ(ran.report["schedules"], 1u) << describe(ran);
  EXPECT_LT(ran.report["control"]["scheduling_points"], 20000u) << describe(ran);
}

// The schedule file says how patient the execution was.
TEST(Time, AReplayIsAsPatient) {
  const Folder folder;
  const Ran ran = explore(folder, {}, {k_time, "long_work_is_done"});
  ASSERT_EQ(ran.status, 1) << describe(ran);
  EXPECT_FALSE(ran.report["failures"][0].contains("times_passed")) << describe(ran);
  const std::string file = ran.report["failures"][0]["replay"];
  const Ran replayed = command(folder, {"replay", file});
  EXPECT_EQ(replayed.status, 1) << describe(replayed);
  const Ran minimized = command(folder, {"minimize", file});
  EXPECT_EQ(minimized.status, 0) << describe(minimized);
  const Ran again = command(folder, {"replay", file + ".min"});
  EXPECT_EQ(again.status, 1) << describe(again);
}

// A failure that needs a deadline to come early says so, and its schedule repeats it.
TEST(Time, AFailureThatNeedsItSaysSo) {
  const Folder folder;
  const Ran ran = explore(folder, {"--patience", "0"}, {k_time, "long_work"});
  EXPECT_EQ(ran.status, 1) << describe(ran);
  ASSERT_EQ(ran.report["failures"].size(), 1u) << describe(ran);
  EXPECT_EQ(ran.report["failures"][0]["kind"], "assertion") << describe(ran);
  EXPECT_EQ(ran.report["failures"][0]["times_passed"], 1) << describe(ran);
  EXPECT_NE(ran.output.find("time passed once while other threads could run"), std::string::npos)
      << describe(ran);
  const Ran replayed = command(folder, {"replay", ran.report["failures"][0]["replay"]});
  EXPECT_EQ(replayed.status, 1) << describe(replayed);
  const Ran frozen = explore(folder, {"--slice", "0", "--bound", "0"}, {k_time, "long_work"});
  EXPECT_EQ(frozen.status, 0) << describe(frozen);
}

} // namespace
} // namespace reex::runtime_test
