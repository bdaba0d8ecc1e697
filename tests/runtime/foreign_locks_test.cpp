// Locks of other libraries (semantics: "Locks of other libraries").
#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;

Ran run(const std::string& scenario, const std::string& isolation) {
  const Folder folder;
  return explore(folder, {"--isolation", isolation}, {REEX_PROGRAMS "/foreign_locks", scenario});
}

TEST(ForeignLocks, WhatTheyProtectDoesNotRace) {
  for (const char* scenario : {"locked", "notified", "joined"})
    for (const char* isolation : {"restore", "fork"}) {
      const Ran ran = run(scenario, isolation);
      EXPECT_EQ(ran.status, 0) << scenario << describe(ran);
      EXPECT_EQ(ran.output.find("data race"), std::string::npos) << scenario << describe(ran);
    }
}

// Nothing races, and the library's atomics are no scheduling points: only the calls are.
TEST(ForeignLocks, ThreadsSwitchAtThem) {
  for (const char* scenario : {"locked_twice", "tried"})
    for (const char* isolation : {"restore", "fork"}) {
      const Ran ran = run(scenario, isolation);
      EXPECT_EQ(ran.status, 1) << scenario << describe(ran);
      EXPECT_NE(ran.output.find("assertion"), std::string::npos) << scenario << describe(ran);
    }
}

} // namespace
} // namespace reex::runtime_test
