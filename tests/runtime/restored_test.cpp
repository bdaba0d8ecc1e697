// A restore brings back all memory in each execution, also what was not written in a thousand others
// (programs/restored.cpp).
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;

class Restored : public testing::TestWithParam<const char*> {};

Ran explored(const Words& options) {
  const Folder folder;
  Words all{"--outcomes", "--strategy", "random", "--isolation", "restore"};
  all.insert(all.end(), options.begin(), options.end());
  return explore(folder, all, {REEX_PROGRAMS "/restored", Restored::GetParam()});
}

TEST_P(Restored, NothingIsLeftBehind) {
  const Ran ran = explored({"--schedules", "1700"});
  EXPECT_EQ(ran.status, 0) << describe(ran);
  EXPECT_EQ(ran.report["control"]["isolation"], "restore") << describe(ran);
  unsigned late = 0;
  for (const auto& [text, how] : outcomes_of(ran.report))
    if (text == "12 0 late" || text == "21 0 late")
      late += how.count;
    else
      EXPECT_TRUE(text == "12 0" || text == "21 0") << text;
  EXPECT_EQ(late, 1U) << describe(ran);
}

TEST_P(Restored, NothingIsLeftBehindByTwoWorkers) {
  const Ran ran = explored({"--schedules", "3000", "-j", "2"});
  EXPECT_EQ(ran.status, 0) << describe(ran);
  for (const auto& [text, how] : outcomes_of(ran.report))
    EXPECT_TRUE(text.starts_with("12 0") || text.starts_with("21 0")) << text;
}

INSTANTIATE_TEST_SUITE_P(All, Restored,
                         testing::Values("written_late", "written_among_faults", "written_in_turn"));

} // namespace
} // namespace reex::runtime_test
