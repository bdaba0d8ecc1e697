// Races beside code without hooks (semantics: "Not instrumented code").
#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;

const std::vector<std::vector<std::string>> k_ways = {
    {"--isolation", "restore"},
    {"--isolation", "fork"},
    {"-j", "2"},
    {"--strategy", "random", "--schedules", "200"},
    {"--accesses", "all"},
};

unsigned races_without_reason(const Ran& ran) {
  unsigned count = 0;
  for (const auto& finding : ran.report["findings"])
    count += finding["kind"] == "data-race" && finding["reason"].is_null() ? 1 : 0;
  return count;
}

Ran run(const Folder& folder, const std::string& scenario, const std::vector<std::string>& way) {
  return explore(folder, way, {REEX_PROGRAMS "/met_races", scenario});
}

TEST(MetRaces, WhatTheLibraryOrdersIsNone) {
  for (const char* scenario : {"last_owner", "filled", "done", "atomic", "apart"})
    for (const auto& way : k_ways) {
      const Folder folder;
      const Ran ran = run(folder, scenario, way);
      EXPECT_EQ(ran.status, 0) << scenario << describe(ran);
      EXPECT_TRUE(schedule_files(folder.path() / ".reex" / "failures").empty()) << scenario << describe(ran);
      EXPECT_EQ(races_without_reason(ran), 0U) << scenario << describe(ran);
    }
}

TEST(MetRaces, ThreadsThatMeetRace) {
  for (const char* scenario : {"beside_calls", "beside_locks", "half_atomic"})
    for (const auto& way : k_ways) {
      const Folder folder;
      const Ran ran = run(folder, scenario, way);
      EXPECT_EQ(ran.status, 1) << scenario << describe(ran);
      ASSERT_FALSE(ran.report["failures"].empty()) << scenario << describe(ran);
      const Ran replay = command(folder, {"replay", ran.report["failures"][0]["replay"].get<std::string>()});
      EXPECT_EQ(replay.status, 1) << scenario << describe(replay);
      EXPECT_NE(replay.output.find("race, as recorded"), std::string::npos) << scenario << describe(replay);
      EXPECT_NE(ran.output.find("data race"), std::string::npos) << scenario << describe(ran);
    }
}

} // namespace
} // namespace reex::runtime_test
