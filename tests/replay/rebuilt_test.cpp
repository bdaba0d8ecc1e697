// Replays on another build of the program. With an unrelated change, the failure occurs again; with a
// correction, it does not.
#include <gtest/gtest.h>

#include "tests/replay/recorded.h"

namespace reex::replay_test {
namespace {

using namespace reex::tool;

class Rebuilt : public testing::TestWithParam<const char*> {
protected:
  Folder m_folder;
};

TEST_P(Rebuilt, FailsAgainAfterAnUnrelatedChange) {
  const Recorded recorded = record(m_folder, GetParam());
  const Ran ran = command(m_folder, {"replay", with_binary(recorded.file, "failures_unrelated").string()});
  EXPECT_EQ(ran.status, 1) << describe(ran);
  EXPECT_TRUE(contains(ran.output, ", as recorded")) << describe(ran);
  EXPECT_TRUE(contains(ran.output, "the binary was rebuilt")) << describe(ran);
}

TEST_P(Rebuilt, DoesNotFailWhereItIsMended) {
  const Recorded recorded = record(m_folder, GetParam());
  const Ran ran = command(m_folder, {"replay", with_binary(recorded.file, "failures_mended").string()});
  EXPECT_TRUE(ran.status == 0 || ran.status == 7) << describe(ran);
  EXPECT_TRUE(contains(ran.output, "the binary was rebuilt")) << describe(ran);
  if (ran.status == 7) {
    EXPECT_TRUE(contains(ran.output, "diverged at ")) << describe(ran);
  }
}

INSTANTIATE_TEST_SUITE_P(Failures, Rebuilt,
                         testing::Values("deadlock", "assertion", "abort", "exception", "signal", "exit",
                                         "race"),
                         [](const auto& test) { return std::string(test.param); });

} // namespace
} // namespace reex::replay_test
