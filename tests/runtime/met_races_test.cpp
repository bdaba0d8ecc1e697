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

Ran run(const std::string& scenario, const std::vector<std::string>& way) {
  const Folder folder;
  return explore(folder, way, {REEX_PROGRAMS "/met_races", scenario});
}

TEST(MetRaces, WhatTheLibraryOrdersIsNone) {
  for (const char* scenario : {"last_owner", "filled", "done", "atomic", "apart"})
    for (const auto& way : k_ways) {
      const Ran ran = run(scenario, way);
      EXPECT_EQ(ran.status, 0) << scenario << describe(ran);
      EXPECT_EQ(races_without_reason(ran), 0U) << scenario << describe(ran);
    }
}

TEST(MetRaces, ThreadsThatMeetRace) {
  for (const char* scenario : {"beside_calls", "beside_locks", "half_atomic"})
    for (const auto& way : k_ways) {
      const Ran ran = run(scenario, way);
      EXPECT_EQ(ran.status, 1) << scenario << describe(ran);
      EXPECT_NE(ran.output.find("data race"), std::string::npos) << scenario << describe(ran);
    }
}

} // namespace
} // namespace reex::runtime_test
