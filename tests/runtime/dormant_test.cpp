// Libraries without hooks count for nothing until a thread enters them beside others.
#include <string>

#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;

const std::string k_dormant = REEX_PROGRAMS "/dormant";

bool is_told(const Ran& ran) {
  for (const auto& gap : ran.report["gaps"])
    if (gap["kind"] == "unseen-code") return true;
  return false;
}

bool was_entered(const std::string& schedule) {
  return nlohmann::json::parse(read_file(schedule))["options"]["code_is_entered"];
}

void expect_replayed(const Folder& folder, const Ran& ran, bool entered) {
  ASSERT_EQ(ran.report["failures"].size(), 1U) << describe(ran);
  const std::string schedule = ran.report["failures"][0]["replay"];
  EXPECT_EQ(was_entered(schedule), entered) << describe(ran);
  const Ran again = command(folder, {"replay", schedule});
  EXPECT_EQ(again.status, 1) << describe(again);
}

class DormantIn : public testing::TestWithParam<std::tuple<const char*, const char*, const char*>> {
protected:
  Ran run(const Folder& folder, const std::string& scenario) {
    const auto& [isolation, strategy, jobs] = GetParam();
    return explore(folder,
                   {"--isolation", isolation, "--strategy", strategy, "--jobs", jobs, "--schedules", "300",
                    "--seed", "1"},
                   {k_dormant, scenario});
  }
};

TEST_P(DormantIn, ARaceIsOneIfNobodyWasThere) {
  for (const char* scenario : {"stays_outside", "goes_in_alone", "goes_in_as_a_child"}) {
    const Folder folder;
    const Ran ran = run(folder, scenario);
    EXPECT_EQ(ran.status, 1) << describe(ran);
    EXPECT_FALSE(is_told(ran)) << describe(ran);
    expect_replayed(folder, ran, false);
  }
}

TEST_P(DormantIn, ARaceIsOneBeforeSomebodyIsThere) {
  const Folder folder;
  const Ran ran = run(folder, "goes_in_behind");
  EXPECT_EQ(ran.status, 1) << describe(ran);
  ASSERT_EQ(ran.report["failures"].size(), 1U) << describe(ran);
  EXPECT_EQ(ran.report["failures"][0]["kind"], "race") << describe(ran);
}

TEST_P(DormantIn, ARaceMayBeOrderedThere) {
  for (const char* scenario : {"is_ordered_there", "is_ordered_there_sometimes"}) {
    const Folder folder;
    const Ran ran = run(folder, scenario);
    EXPECT_EQ(ran.status, 0) << describe(ran);
    ASSERT_EQ(ran.report["findings"].size(), 1U) << describe(ran);
    EXPECT_NE(ran.report["findings"][0].dump().find(
                  "libuninstrumented.so is not instrumented and may have ordered the accesses"),
              std::string::npos)
        << describe(ran);
  }
}

INSTANTIATE_TEST_SUITE_P(AllModes, DormantIn,
                         testing::Combine(testing::Values("restore", "fork"),
                                          testing::Values("auto", "icb", "random"),
                                          testing::Values("1", "2")));

TEST(Dormant, WhatOnlyALibraryOfTheLanguageNeedsWasNotLoadedLater) {
  const Folder folder;
  const Ran ran = explore(folder, {}, {REEX_PROGRAMS "/dormant_needed", "stays_outside"});
  EXPECT_EQ(ran.status, 1) << describe(ran);
  EXPECT_FALSE(is_told(ran)) << describe(ran);
}

TEST(Dormant, WhatItDoesIsReplayedInALaterRound) {
  for (const char* isolation : {"restore", "fork"})
    for (const char* strategy : {"auto", "icb"}) {
      const Folder folder;
      const Ran ran = explore(folder, {"--isolation", isolation, "--strategy", strategy},
                              {k_dormant, "fails_in_a_later_round"});
      EXPECT_EQ(ran.status, 1) << describe(ran);
      expect_replayed(folder, ran, true);
    }
}

TEST(Dormant, TheReductionSeesAll) {
  const Words options = {"--strategy", "icb", "--bound", "2"};
  const Folder folder;
  const Ran ran = explore(folder, options, {k_dormant, "locks_of_their_own"});
  EXPECT_EQ(ran.status, 0) << describe(ran);
  EXPECT_TRUE(ran.report["gaps"].empty()) << describe(ran);
  Words all = options;
  all.insert(all.end(), {"--reduction", "none"});
  const Ran without = explore(folder, all, {k_dormant, "locks_of_their_own"});
  EXPECT_LT(10 * ran.report["schedules"].get<int>(), without.report["schedules"].get<int>())
      << describe(ran) << describe(without);
}

TEST(Dormant, ALivelockIsClaimedIfNobodyWasThere) {
  for (const char* isolation : {"restore", "fork"}) {
    const Folder folder;
    const Words options = {"--isolation", isolation, "--strategy",  "icb",
                           "--bound",     "0",       "--max-steps", "20000"};
    const Ran outside = explore(folder, options, {k_dormant, "waits_outside"});
    EXPECT_EQ(outside.status, 1) << describe(outside);
    expect_replayed(folder, outside, false);
    const Ran inside = explore(folder, options, {k_dormant, "waits_inside"});
    EXPECT_TRUE(inside.report["failures"].empty()) << describe(inside);
    EXPECT_TRUE(is_told(inside)) << describe(inside);
  }
}

TEST(Dormant, AResumedRunNamesThem) {
  const Folder folder;
  const Words program = {k_dormant, "is_ordered_there"};
  const Ran begun = explore(folder, {"--strategy", "icb", "--schedules", "5"}, program);
  EXPECT_TRUE(is_told(begun)) << describe(begun);
  const Ran ended = explore(folder, {"--strategy", "icb", "--resume"}, program);
  EXPECT_TRUE(ended.report["exhausted"] == true) << describe(ended);
  EXPECT_EQ(ended.report["schedules"], begun.report["schedules"]) << describe(ended); // nothing was left
  EXPECT_TRUE(is_told(ended)) << describe(ended);
}

// Where no round begins anew, they count from the start.
TEST(Dormant, WithoutRoundsTheyAreAlwaysAwake) {
  for (const Words& options : {Words{"--races", "off"}, Words{"--accesses", "all"}}) {
    const Folder folder;
    const Ran ran = explore(folder, options, {k_dormant, "locks_of_their_own"});
    EXPECT_TRUE(is_told(ran)) << describe(ran);
  }
}

} // namespace
} // namespace reex::runtime_test
