// --base-binary: reex executes the failing schedule with the build of the base.
#include <gtest/gtest.h>

#include "tests/replay/recorded.h"

namespace reex::replay_test {
namespace {

using namespace reex::tool;

Ran explore_with_base(const Folder& folder, const std::string& kind, const std::string& base) {
  return explore(folder, {"--base-binary", std::string(REEX_REPLAY_PROGRAMS "/") + base},
                 {REEX_REPLAY_PROGRAMS "/failures", kind});
}

std::string verdict(const Ran& ran) { return ran.report["failures"][0]["base"].value("verdict", "none"); }

class BaseBinary : public testing::TestWithParam<const char*> {
protected:
  Folder m_folder;
};

TEST_P(BaseBinary, PassesWhereTheChangeBroughtTheFault) {
  const Ran ran = explore_with_base(m_folder, GetParam(), "failures_mended");
  ASSERT_EQ(ran.status, 1) << describe(ran);
  EXPECT_EQ(verdict(ran), "passes") << describe(ran);
}

TEST_P(BaseBinary, FailsWhereTheFaultIsOlder) {
  const Ran ran = explore_with_base(m_folder, GetParam(), "failures_unrelated");
  ASSERT_EQ(ran.status, 4) << describe(ran);
  EXPECT_EQ(verdict(ran), "fails") << describe(ran);
}

INSTANTIATE_TEST_SUITE_P(Failures, BaseBinary, testing::Values("deadlock", "assertion", "race"),
                         [](const auto& test) { return std::string(test.param); });

TEST(BaseBinaryOfAnotherTest, CannotBeFollowed) {
  const Folder folder;
  const Ran ran = explore_with_base(folder, "deadlock", "suite");
  ASSERT_EQ(ran.status, 1) << describe(ran);
  EXPECT_EQ(verdict(ran), "not_followed") << describe(ran);
}

TEST(BaseBinaryThatIsMissing, IsAnErrorOfUse) {
  const Folder folder;
  EXPECT_EQ(explore_with_base(folder, "deadlock", "nothing").status, 2);
}

TEST(BaseBinaryOfAReplay, SaysWhatTheBaseDoes) {
  const Folder folder;
  const Recorded recorded = record(folder, "assertion");
  const Ran mended = command(
      folder, {"replay", "--base-binary", REEX_REPLAY_PROGRAMS "/failures_mended", recorded.file.string()});
  EXPECT_EQ(mended.status, 1) << describe(mended);
  EXPECT_TRUE(contains(mended.output, "fails at the head, passes at the base")) << describe(mended);
  const Ran older = command(folder, {"replay", "--base-binary", REEX_REPLAY_PROGRAMS "/failures_unrelated",
                                     recorded.file.string()});
  EXPECT_EQ(older.status, 4) << describe(older);
  EXPECT_TRUE(contains(older.output, "fails at the base, too")) << describe(older);
}

} // namespace
} // namespace reex::replay_test
