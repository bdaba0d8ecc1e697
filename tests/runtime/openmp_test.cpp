// Data races in programs with OpenMP: libgomp is not instrumented, but what its functions order is known.
#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;

const std::string k_order = REEX_PROGRAMS "/openmp_order";

Ran explore_scenario(const Folder& folder, const std::string& scenario) {
  return explore(folder, {"--bound", "2", "--schedules", "400"}, {k_order, scenario});
}

class Ordered : public testing::TestWithParam<const char*> {};

TEST_P(Ordered, HasNoRace) {
  const Folder folder;
  const Ran ran = explore_scenario(folder, GetParam());
  EXPECT_EQ(ran.status, 0) << describe(ran);
  EXPECT_TRUE(ran.report["findings"].empty()) << describe(ran);
}

INSTANTIATE_TEST_SUITE_P(OpenMP, Ordered,
                         testing::Values("region", "each_reads_after_a_barrier", "critical", "locks",
                                         "single", "single_copies", "loops", "ordered", "sections", "tasks",
                                         "groups", "dependences", "target", "tasks_that_end_with_the_region"),
                         [](const auto& one) { return std::string(one.param); });

class Racing : public testing::TestWithParam<const char*> {};

TEST_P(Racing, FailsByTheRace) {
  const Folder folder;
  const Ran ran = explore_scenario(folder, GetParam());
  EXPECT_EQ(ran.status, 1) << describe(ran);
  ASSERT_FALSE(ran.report["failures"].empty()) << describe(ran);
  for (const auto& failure : ran.report["failures"]) EXPECT_EQ(failure["kind"], "race") << describe(ran);
}

INSTANTIATE_TEST_SUITE_P(OpenMP, Racing,
                         testing::Values("race_on_target", "race_without_critical",
                                         "race_between_sections_of_other_names", "race_without_barrier",
                                         "race_in_a_loop", "race_with_a_task", "race_of_tasks",
                                         "race_of_a_taskloop", "race_beside_dependences"),
                         [](const auto& one) { return std::string(one.param); });

} // namespace
} // namespace reex::runtime_test
