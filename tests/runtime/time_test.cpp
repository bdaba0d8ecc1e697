// Time that passes while threads run (docs/semantics.md: "Time").
#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;

const std::string k_time = REEX_PROGRAMS "/time";

constexpr const char* k_passing[] = {"until_told", "ten_seconds", "a_hundred_naps", "timed_waits",
                                     "windows",    "an_alarm",    "bombarded",      "a_poll_with_a_deadline",
                                     "gives_up"};

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
  for (const char* scenario : {"ten_seconds", "a_hundred_naps", "a_poll_with_a_deadline"})
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

// A failure that needs a deadline to come early says so, and its schedule repeats it.
TEST(Time, AFailureThatNeedsItSaysSo) {
  const Folder folder;
  const Ran ran = explore(folder, {}, {k_time, "long_work"});
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
