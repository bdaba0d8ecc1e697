// What a run does not see is told, and no claim goes beyond it.
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <thread>

#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;

const std::string k_gaps = REEX_PROGRAMS "/gaps";

std::map<std::string, std::string> effects_of(const Ran& ran) { // by kind
  std::map<std::string, std::string> effects;
  for (const auto& gap : ran.report["gaps"]) effects[gap["kind"]] = gap["effect"];
  return effects;
}

std::string detail_of(const Ran& ran, const std::string& kind) {
  for (const auto& gap : ran.report["gaps"])
    if (gap["kind"] == kind) return gap["detail"];
  return "";
}

std::string words_of(const Ran& ran) { // without line breaks
  return std::regex_replace(ran.output, std::regex("\\s+"), " ");
}

std::vector<std::string> printed(const Ran& ran) {
  std::vector<std::string> texts;
  for (const auto& [text, how] : outcomes_of(ran.report)) texts.push_back(text);
  return texts;
}

struct Row {
  const char* scenario;
  std::map<std::string, std::string> effects;
  const char* detail; // of the first gap
};

TEST(Gaps, AreTold) {
  const Row table[] = {
      {"a_sleep_orders", {{"sleeps", "told"}}, "1 sleep ordered the threads, for example at gaps.cpp:"},
      {"a_sleep_alone", {}, ""},
      {"a_clock_decides",
       {{"clock", "told"}},
       "later times that 1 use of a clock or timer could have shown were not tried, for example at "
       "gaps.cpp:"},
      {"a_clock_alone", {}, ""},
      {"a_timed_wait_is_ended",
       {{"timeouts", "told"}},
       "earlier ends of 1 timed wait were not tried, for example at gaps.cpp:"},
      {"a_timed_wait_is_notified",
       {{"timeouts", "told"}},
       "earlier ends of 1 timed wait were not tried, for example at gaps.cpp:"},
      {"a_timed_lock_is_taken",
       {{"timeouts", "told"}},
       "earlier ends of 1 timed wait were not tried, for example at gaps.cpp:"},
      {"a_timed_lock_is_free", {}, ""},
      {"a_timed_join_is_ended",
       {{"timeouts", "told"}},
       "earlier ends of 1 timed wait were not tried, for example at gaps.cpp:"},
      {"a_guard_is_ended", {}, ""},
      {"a_guard_ends_by_its_time", {}, ""},
      {"a_guard_misses_its_notification",
       {{"guards", "told"}},
       "1 wait of five seconds or more ended in a schedule by the time alone, with nothing else that could "
       "go on, and in others before, for example at gaps.cpp:"},
      {"a_poll_misses_its_notification",
       {{"guards", "told"}},
       "1 wait of five seconds or more ended in a schedule by the time alone, with nothing else that could "
       "go on, and in others before, for example at gaps.cpp:"},
      {"a_poll_is_ended", {}, ""},
      {"a_timed_wait_ends_beside_others",
       {{"timeouts", "told"}},
       "earlier ends of 1 timed wait were not tried, for example at gaps.cpp:"},
      {"a_timed_wait_ends_alone", {}, ""},
      {"depends_on_a_timer",
       {{"timeouts", "told"}, {"clock", "told"}},
       "later times that 1 use of a clock or timer could have shown were not tried, for example at "
       "gaps.cpp:"},
      {"waits_for_a_timer",
       {{"clock", "told"}},
       "later times that 1 use of a clock or timer could have shown were not tried, for example at "
       "gaps.cpp:"},
      {"waits_beside_a_timer",
       {{"clock", "told"}},
       "later times that 1 use of a clock or timer could have shown were not tried, for example at "
       "gaps.cpp:"},
      {"a_signal_of_a_timer_is_late",
       {{"clock", "told"}},
       "later times that 1 use of a clock or timer could have shown were not tried, for example at "
       "gaps.cpp:"},
      {"a_watchdog_gets_a_handler",
       {{"clock", "told"}},
       "later times that 1 use of a clock or timer could have shown were not tried, for example at "
       "gaps.cpp:"},
      {"a_thread_of_a_timer_is_late",
       {{"clock", "told"}},
       "later times that 1 use of a clock or timer could have shown were not tried, for example at "
       "gaps.cpp:"},
      {"a_watchdog_is_set", {}, ""},
      {"waits_in_a_loop", {}, ""},
      {"random_numbers_decide",
       {{"random-numbers", "told"}},
       "other random numbers than those that 1 call got in every execution were not tried, for example at "
       "gaps.cpp:"},
      {"a_random_device_decides",
       {{"random-numbers", "told"}},
       "other random numbers than those that 1 call got in every execution were not tried, for example at "
       "gaps.cpp:"},
      {"random_numbers_first", {}, ""},
      {"a_processor_decides",
       {{"processors", "told"}},
       "other processors that 1 question for the thread's own could have named were not tried, for example "
       "at gaps.cpp:"},
      {"a_processor_alone", {}, ""},
      {"weak_both", {{"stale-values", "told"}}, "not tried: 2 loads of 2 atomics, for example at gaps.cpp:"},
      {"weak_stores", {{"stale-values", "told"}}, "not tried: 2 loads of 2 atomics"},
      {"weak_loads", {{"stale-values", "told"}}, "not tried: 2 loads of 2 atomics"},
      {"weak_after_others", {{"stale-values", "told"}}, "not tried: 2 loads of 2 atomics"},
      {"strong", {}, ""},
      {"weak_under_a_lock", {}, ""},
      {"weak_counter", {}, ""},
  };
  for (const Row& row : table)
    for (const char* isolation : {"restore", "fork"})
      for (const char* jobs : {"1", "2"}) {
        const Folder folder;
        const Ran ran = explore(folder, {"--isolation", isolation, "--jobs", jobs, "--bound", "none"},
                                {k_gaps, row.scenario});
        EXPECT_EQ(ran.status, 0) << describe(ran);
        EXPECT_EQ(effects_of(ran), row.effects) << describe(ran);
        EXPECT_EQ(ran.report["verdict"], "passed") << describe(ran);
        EXPECT_EQ(ran.report["exhausted"], true) << describe(ran);
        if (row.effects.empty()) continue;
        const std::string& kind = row.effects.begin()->first;
        EXPECT_NE(detail_of(ran, kind).find(row.detail), std::string::npos) << describe(ran);
        EXPECT_NE(words_of(ran).find("not covered " + detail_of(ran, kind)), std::string::npos)
            << describe(ran);
      }
}

std::string remedy_of(const Ran& ran, const std::string& kind) {
  for (const auto& gap : ran.report["gaps"])
    if (gap["kind"] == kind) return gap["remedy"];
  return "";
}

// A test that passes only because waits and sleeps take their time.
TEST(Gaps, ATestThatDependsOnTimeIsTold) {
  struct Case {
    const char* scenario;
    const char* kind;
    Words option;
    const char* told;
    const char* remedy;
  };
  const Case cases[] = {
      {"depends_on_a_timed_wait",
       "timeouts",
       {"--timeouts"},
       "; in a trial of them, the test fails (abort, schedule ",
       "--timeouts shows it"},
      {"depends_on_a_timed_wait_deeply",
       "timeouts",
       {"--timeouts"},
       "; in a trial of them, the test fails (abort, schedule ",
       "--timeouts shows it"},
      {"depends_on_a_timer",
       "timeouts",
       {"--timeouts"},
       "; in a trial of them, the test fails (abort, schedule ",
       "--timeouts shows it"},
      {"depends_on_a_sleep",
       "sleeps",
       {"--sleeps", "any"},
       "; in a trial without that, the test fails (abort, schedule ",
       "--sleeps any shows it"},
      {"depends_on_a_notification",
       "spurious",
       {"--spurious"},
       "spurious wake-ups of 1 wait, for example at gaps.cpp:",
       "--spurious shows it"},
  };
  for (const Case& one : cases)
    for (const char* isolation : {"restore", "fork"}) {
      const Folder folder;
      const Ran ran =
          explore(folder, {"--strategy", "auto", "--isolation", isolation}, {k_gaps, one.scenario});
      EXPECT_EQ(ran.status, 0) << describe(ran);
      EXPECT_EQ(ran.report["exhausted"], true) << describe(ran);
      EXPECT_TRUE(ran.report["failures"].empty()) << describe(ran);
      EXPECT_NE(detail_of(ran, one.kind).find(one.told), std::string::npos) << describe(ran);
      EXPECT_EQ(remedy_of(ran, one.kind), one.remedy) << describe(ran);
      Words without = one.option;
      without.insert(without.end(), {"--strategy", "auto"});
      const Ran shown = explore(folder, without, {k_gaps, one.scenario});
      EXPECT_EQ(shown.status, 1) << describe(shown);
      const std::string schedule = std::to_string(shown.report["failures"][0]["schedule"].get<int>());
      EXPECT_NE(detail_of(ran, one.kind).find("schedule " + schedule + ")"), std::string::npos)
          << describe(ran);
    }
}

// A search that would use up its budget leaves time for the trial.
TEST(Gaps, ATestThatDependsOnTimeIsToldWhereTheBudgetEnds) {
  const Folder folder;
  const Ran ran = explore(folder, {"--strategy", "auto", "--budget", "6s"},
                          {k_gaps, "depends_on_a_timed_wait_beside_others"});
  EXPECT_EQ(ran.status, 0) << describe(ran);
  EXPECT_EQ(ran.report["exhausted"], false) << describe(ran);
  EXPECT_NE(detail_of(ran, "timeouts").find("in a trial of them, the test fails (abort, schedule 1)"),
            std::string::npos)
      << describe(ran);
}

// In a process of its own, an execution takes a file that is newer than itself for its own work. So the file
// stays as it is for longer than an execution there.
TEST(Gaps, AFileThatChangesIsTold) {
  constexpr std::pair<const char*, int> k_ways[] = {{"restore", 2}, {"fork", 20}}; // milliseconds
  for (const auto& [isolation, pause] : k_ways)
    for (const bool changes : {false, true}) {
      const Folder folder;
      const std::filesystem::path file = folder / "read.txt";
      const auto write = [&](int number) {
        std::ofstream(folder / "next.txt") << number;
        std::filesystem::rename(folder / "next.txt", file);
      };
      write(0);
      std::atomic<bool> over = false;
      std::thread writer([&, pause = pause] {
        for (int number = 1; changes && !over; ++number) {
          std::this_thread::sleep_for(std::chrono::milliseconds(pause));
          write(number);
        }
      });
      const Ran ran = explore(folder, {"--isolation", isolation, "--schedules", "300"},
                              {k_gaps, "reads_a_file"}, {{"READ_FILE", file.string()}});
      over = true;
      writer.join();
      EXPECT_EQ(ran.status, 0) << describe(ran);
      EXPECT_EQ(ran.report["control"]["isolation"], isolation) << describe(ran);
      EXPECT_EQ(effects_of(ran).contains("changed-file"), changes) << describe(ran);
      if (!changes) continue;
      EXPECT_EQ(effects_of(ran).at("changed-file"), "claims") << describe(ran);
      EXPECT_NE(detail_of(ran, "changed-file").find(file.string()), std::string::npos) << describe(ran);
      EXPECT_TRUE(ran.report["bound_completed"].is_null()) << describe(ran);
    }
}

TEST(Gaps, WhatOtherProcessesDoLeavesNothingToClaim) {
  const Folder folder;
  const Ran ran = explore(folder, {}, {k_gaps, "a_child_answers"});
  EXPECT_EQ(ran.status, 0) << describe(ran);
  EXPECT_EQ(effects_of(ran).at("other-processes"), "claims") << describe(ran);
  EXPECT_TRUE(ran.report["exhausted"].is_null()) << describe(ran);
  EXPECT_TRUE(ran.report["bound_completed"].is_null()) << describe(ran);
  EXPECT_EQ(ran.report["verdict"], "no-failure-found") << describe(ran);
  EXPECT_NE(words_of(ran).find("schedules, no bound completed"), std::string::npos) << describe(ran);
  EXPECT_EQ(ran.output.find("PASSED"), std::string::npos) << describe(ran);
  const Ran strict = explore(folder, {"--strict"}, {k_gaps, "a_child_answers"});
  EXPECT_EQ(strict.status, 3) << describe(strict);
}

TEST(Gaps, TheTurnInWhichALoopSeesAWrite) {
  const Folder folder;
  const Ran ran = explore(folder, {"--bound", "1"}, {REEX_PROGRAMS "/endings", "spins_and_counts"});
  EXPECT_EQ(effects_of(ran), (std::map<std::string, std::string>{{"turns", "told"}})) << describe(ran);
  EXPECT_NE(detail_of(ran, "turns").find("for example at endings.cpp:"), std::string::npos) << describe(ran);
  EXPECT_EQ(ran.report["bound_completed"], 1) << describe(ran);
}

TEST(Gaps, AccessesThatTheUserLeavesOut) {
  const Folder folder;
  EXPECT_EQ(effects_of(explore(folder, {"--races", "off"}, {k_gaps, "strong"})),
            (std::map<std::string, std::string>{{"races-off", "told"}}));
  EXPECT_EQ(effects_of(explore(folder, {"--accesses", "sync"}, {k_gaps, "strong"})),
            (std::map<std::string, std::string>{{"accesses", "told"}}));
}

TEST(Claims, ASampleCompletesNoBound) {
  const Folder folder;
  const Ran ran = explore(folder, {"--strategy", "random", "--schedules", "20"}, {k_gaps, "strong"});
  EXPECT_EQ(ran.status, 0) << describe(ran);
  EXPECT_EQ(ran.report["verdict"], "no-failure-found") << describe(ran);
  EXPECT_NE(ran.output.find("NO FAILURE FOUND gaps: in 20 schedules, no bound completed"), std::string::npos)
      << describe(ran);
}

TEST(Claims, ABoundBelowTheOneAskedForIsWhatPassed) {
  const Folder folder;
  const Ran ran = explore(folder, {"--schedules", "3", "--reduction", "none"}, {k_gaps, "strong"});
  ASSERT_TRUE(ran.report["bound_completed"].is_number()) << describe(ran);
  const auto completed = ran.report["bound_completed"].get<unsigned>();
  EXPECT_LT(completed, 2U) << describe(ran);
  EXPECT_EQ(ran.report["verdict"], "passed") << describe(ran);
  EXPECT_NE(words_of(ran).find("no failure with at most " + std::to_string(completed) + " preemption"),
            std::string::npos)
      << describe(ran);
  EXPECT_NE(words_of(ran).find(", of 2 asked for"), std::string::npos) << describe(ran);
}

// Millions of schedules are left, and the test has failed for certain.
TEST(Claims, ARaceEndsASearchThatNobodyHasLimited) {
  const Folder folder;
  const Ran ran = explore(folder, {"--strategy", "auto"}, {k_gaps, "races_for_long"});
  EXPECT_EQ(ran.status, 1) << describe(ran);
  EXPECT_EQ(ran.report["ended"], "failure_limit") << describe(ran);
  EXPECT_NE(words_of(ran).find("not covered what comes after the failure: --keep-going 0 goes on"),
            std::string::npos)
      << describe(ran);
}

TEST(Sleeps, AnyExploresWithoutThem) {
  for (const char* isolation : {"restore", "fork"})
    for (const char* reduction : {"auto", "none"}) {
      const Folder folder;
      const Words options{"--outcomes", "--isolation", isolation, "--reduction", reduction};
      Words any = options;
      any.insert(any.end(), {"--sleeps", "any"});
      for (const char* scenario : {"a_sleep_orders", "a_sleep_takes_its_time"}) {
        const Ran timed = explore(folder, options, {k_gaps, scenario});
        EXPECT_EQ(printed(timed), (Words{"1"})) << describe(timed);
        const Ran early = explore(folder, any, {k_gaps, scenario});
        EXPECT_EQ(early.status, 0) << describe(early);
        EXPECT_EQ(printed(early), (Words{"0", "1"})) << describe(early);
        EXPECT_EQ(early.report["bound_completed"], 2) << describe(early);
        EXPECT_FALSE(effects_of(early).contains("sleeps")) << describe(early);
      }
    }
}

} // namespace
} // namespace reex::runtime_test
