// Slots of threads that are used again: no race is missed, none is false, and reports name threads by the
// order of their creation. Limits are told by name.
#include <set>

#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;

const std::string k_program = REEX_PROGRAMS "/reuse";

// The numbers of the threads of each data race.
std::set<std::set<int>> racing_threads(const nlohmann::json& run) {
  std::set<std::set<int>> races;
  for (const auto& failure : run["failures"]) {
    std::set<int> threads;
    for (const auto& side : failure["where"]) threads.insert(side["thread"].get<int>());
    if (failure.value("kind", "") == "race") races.insert(threads);
  }
  return races;
}

const std::vector<Words> k_modes{
    {}, {"--isolation", "fork"}, {"-j", "2"}, {"--strategy", "random", "--schedules", "50", "--seed", "1"}};

TEST(Threads, RacesWithAThreadWhoseSlotIsUsedAgainAreFound) {
  const std::vector<std::pair<std::string, std::set<int>>> expected{{"race_with_successor", {1, 2}},
                                                                    {"race_behind_successor", {1, 2}},
                                                                    {"race_with_joined_unordered", {1, 2}}};
  for (const auto& [scenario, threads] : expected)
    for (const Words& mode : k_modes) {
      const Folder folder;
      Words all{"-k", "0", "--schedules", "300"};
      all.insert(all.end(), mode.begin(), mode.end());
      const Ran ran = explore(folder, all, {k_program, scenario});
      EXPECT_EQ(ran.status, 1) << describe(ran);
      EXPECT_TRUE(racing_threads(ran.report).contains(threads)) << describe(ran);
    }
}

TEST(Threads, WhatIsOrderedThroughASlotUsedAgainIsNoRace) {
  for (const std::string scenario : {"race_with_joined", "ordered_through_successor", "in_sequence", "pairs"})
    for (const Words& mode : k_modes) {
      const Folder folder;
      Words all{"-k", "0", "--schedules", "100"};
      all.insert(all.end(), mode.begin(), mode.end());
      const Ran ran = explore(folder, all, {k_program, scenario});
      EXPECT_EQ(ran.status, 0) << describe(ran);
      EXPECT_TRUE(ran.report["failures"].empty()) << describe(ran);
    }
}

// No slot can be used again without hiding races, so the detector gives up and says so.
TEST(Threads, UnorderedThreadsBeyondTheSlotsAreAGap) {
  const Folder folder;
  const Ran ran = explore(folder, {"--schedules", "1"}, {k_program, "detached_unordered"});
  std::set<std::string> gaps;
  for (const auto& gap : ran.report["gaps"]) gaps.insert(gap["kind"].get<std::string>());
  EXPECT_TRUE(gaps.contains("races-unwatched")) << describe(ran);
}

TEST(Threads, LimitsAreToldByName) {
  const std::vector<std::pair<std::string, std::string>> expected{
      {"too_many_alive", "more than 1024 threads alive at once; reex handles 1024"},
      {"too_many_created", "more than 30000 threads created in one execution"}};
  for (const auto& [scenario, words] : expected)
    for (const Words& mode : {Words{}, Words{"--isolation", "fork"}}) {
      const Folder folder;
      const Ran ran = explore(folder, mode, {k_program, scenario});
      EXPECT_EQ(ran.status, 5) << describe(ran);
      EXPECT_NE(ran.output.find(words), std::string::npos) << describe(ran);
    }
}

// Time stands still in the first execution. A loop that goes on until a sleeper says stop must not meet the
// limit.
TEST(Threads, CreatedUntilASleeperSaysStop) {
  const Folder folder;
  const Ran ran = explore(folder, {"--schedules", "3", "--outcomes"}, {k_program, "creates_until_told"});
  EXPECT_EQ(ran.status, 0) << describe(ran);
  EXPECT_TRUE(outcomes_of(ran.report).contains("told")) << describe(ran);
}

} // namespace
} // namespace reex::runtime_test
