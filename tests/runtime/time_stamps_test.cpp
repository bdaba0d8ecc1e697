// rdtsc, rdtscp and the accounts of used time agree with the virtual clocks, and repeat themselves.
#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;

const std::string k_program = REEX_PROGRAMS "/time_stamps";

class TimeStampsOf : public testing::TestWithParam<const char*> {};

TEST_P(TimeStampsOf, AgreeWithTheClocks) {
  for (const char* isolation : {"restore", "fork"}) {
    const Folder folder;
    const Ran ran = explore(folder, {"--isolation", isolation, "--bound", "1"}, {k_program, GetParam()});
    EXPECT_EQ(ran.status, 0) << describe(ran);
    EXPECT_EQ(ran.report["control"]["isolation"], isolation) << describe(ran);
    EXPECT_GE(ran.report["bound_completed"], 1) << describe(ran);
  }
}
INSTANTIATE_TEST_SUITE_P(, TimeStampsOf,
                         testing::Values("interpolates", "never_goes_back", "used_time", "calibrates"),
                         [](const auto& name) { return std::string(name.param); });

// Equivalent executions differ in it.
TEST(TimeStamps, AreTheSameWhetherAJoinHadToWait) {
  for (const char* scenario : {"measures_and_joins", "joins_who_measures"}) {
    const Folder folder;
    const Ran ran = explore(folder, {"--reduction", "none", "--outcomes"}, {k_program, scenario});
    EXPECT_EQ(ran.status, 0) << describe(ran);
    EXPECT_GT(ran.report["schedules"], 1) << describe(ran);
    EXPECT_EQ(outcomes_of(ran.report).size(), 1U) << describe(ran);
  }
}

TEST(TimeStamps, OfATestThatCatchesFaults) {
  const Folder folder;
  const Ran ran = explore(folder, {"--bound", "1"}, {k_program, "has_a_handler_for_faults"});
  EXPECT_EQ(ran.status, 0) << describe(ran);
}

TEST(TimeStamps, HideNoFault) {
  for (const char* isolation : {"restore", "fork"}) {
    const Folder folder;
    const Ran ran = explore(folder, {"--isolation", isolation}, {k_program, "faults"});
    EXPECT_EQ(ran.status, 1) << describe(ran);
    ASSERT_EQ(ran.report["failures"].size(), 1U) << describe(ran);
    EXPECT_EQ(ran.report["failures"][0]["kind"], "signal") << describe(ran);
    EXPECT_EQ(command(folder, {"replay", ran.report["failures"][0]["replay"]}).status, 1);
  }
}

TEST(TimeStamps, AreRealInOtherPrograms) {
  const Folder folder;
  const Ran ran = explore(folder, {"--bound", "0"}, {k_program, "makes_processes"});
  EXPECT_EQ(ran.status, 0) << describe(ran);
  EXPECT_TRUE(ran.report["failures"].empty()) << describe(ran);
}

} // namespace
} // namespace reex::runtime_test
