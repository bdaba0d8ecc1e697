// GoogleTest binaries: reex explores each test separately, and shows its failures with file and line.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;

const std::string k_suite = REEX_PROGRAMS "/suite";

struct Expected {
  const char* name;
  bool fails;
};
constexpr Expected k_tests[] = {
    {"Counter.Locked", false},          {"Counter.Unlocked", true},       {"Counter.FailsInAThread", true},
    {"Counter.FailsInTwoChecks", true}, {"Fixture.StartsInSetUp", false}, {"Both/Ways.Count/Locked", false},
    {"Both/Ways.Count/Unlocked", true}, {"Typed/0.Adds", false},          {"Typed/1.Adds", false},
};

TEST(GoogleTest, EachTestIsExploredByItself) {
  const Folder folder;
  const Ran ran = explore(folder, {"--keep-going", "0"}, {k_suite});
  EXPECT_EQ(ran.status, 1) << describe(ran);
  ASSERT_TRUE(ran.report.is_object()) << describe(ran);
  ASSERT_EQ(ran.report["runs"].size(), std::size(k_tests)) << describe(ran);
  for (const Expected& expected : k_tests) {
    const auto& runs = ran.report["runs"];
    const auto run = std::find_if(runs.begin(), runs.end(),
                                  [&](const auto& one) { return one["test"]["name"] == expected.name; });
    ASSERT_NE(run, runs.end()) << expected.name;
    EXPECT_EQ((*run)["failures"].empty(), !expected.fails) << *run;
    for (const auto& failure : (*run)["failures"]) EXPECT_EQ(failure["kind"], "gtest") << failure;
    EXPECT_EQ((*run)["control"]["isolation"], "restore") << expected.name << (*run)["control"];
  }
}

TEST(GoogleTest, RestoreAndForkAgree) {
  const Folder folder;
  const Words options{"--keep-going", "0", "--outcomes", "--reduction", "hb"};
  Words fork = options;
  fork.insert(fork.end(), {"--isolation", "fork"});
  const Ran one = explore(folder, options, {k_suite});
  const Ran two = explore(folder, fork, {k_suite});
  ASSERT_TRUE(one.report.is_object() && two.report.is_object()) << describe(one) << describe(two);
  for (std::size_t i = 0; i < one.report["runs"].size(); ++i) {
    EXPECT_EQ(one.report["runs"][i]["schedules"], two.report["runs"][i]["schedules"]);
    EXPECT_EQ(outcomes_of(one.report["runs"][i]), outcomes_of(two.report["runs"][i]));
  }
}

TEST(GoogleTest, FailureSaysWhere) {
  const Folder folder;
  const Ran ran = explore(folder, {"--filter", "Counter.Unlocked"}, {k_suite});
  EXPECT_EQ(ran.status, 1) << describe(ran);
  ASSERT_TRUE(ran.report.is_object()) << describe(ran);
  ASSERT_EQ(ran.report["failures"].size(), 1U) << describe(ran);
  const auto& failure = ran.report["failures"][0];
  EXPECT_EQ(failure["kind"], "gtest");
  const std::string message = failure["message"];
  EXPECT_NE(message.find("suite.cpp:"), std::string::npos) << message;
  EXPECT_NE(message.find("an update was lost"), std::string::npos) << message;
  EXPECT_EQ(failure["preemptions"], 1);
}

// The exit status of the command line for each single test.
TEST(GoogleTest, DeathTestsSetUpAndSkippedOnes) {
  constexpr std::pair<const char*, int> k_statuses[] = {
      {"Deaths.Fast", 0},
      {"Deaths.FastSurvives", 1},
      {"Deaths.FastStartsThreads", 0},
      {"Deaths.ThreadsafeStartsThreads", 0},
      {"Skips.AfterThreads", 0},
      {"FailsInSetUp.Test", 1},
      {"ServedByASuite.Test", 0},
      {"Few/Numbered.Differs/0", 1},
      {"Few/Numbered.Differs/1", 0},
  };
  for (const auto& [name, status] : k_statuses) {
    const Folder folder;
    const Ran ran = explore(folder, {"--filter", name, "--schedules", "300"}, {REEX_PROGRAMS "/deaths"});
    EXPECT_EQ(ran.status, status) << describe(ran);
    ASSERT_TRUE(ran.report.is_object()) << describe(ran);
    if (status == 1) {
      EXPECT_EQ(ran.report["failures"][0]["kind"], "gtest") << describe(ran);
    }
  }
}

TEST(GoogleTest, FilterThatMatchesNothingIsRefused) {
  const Folder folder;
  const Ran ran = command(folder, {"--filter", "Nothing.*", k_suite});
  EXPECT_EQ(ran.status, 2) << describe(ran);
  EXPECT_NE(ran.output.find("Nothing"), std::string::npos) << describe(ran);
}

TEST(GoogleTest, ListHasTheNames) {
  const Folder folder;
  const Ran ran = command(folder, {"--list-tests", k_suite});
  EXPECT_EQ(ran.status, 0) << describe(ran);
  for (const Expected& expected : k_tests)
    EXPECT_NE(ran.output.find(expected.name), std::string::npos) << expected.name << describe(ran);
}

} // namespace
} // namespace reex::runtime_test
