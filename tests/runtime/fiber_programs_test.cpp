// Programs about fibers that are drawn at random: with the reduction, which relies on it that a switch
// between stacks tells nobody anything, all is seen that is seen without it.
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;

Words draw_program(unsigned seed) {
  constexpr char k_operations[] = "aarwRmmyyyhhh";
  std::mt19937 draw(seed);
  const auto below = [&](unsigned limit) { return static_cast<unsigned>(draw() % limit); };
  Words program;
  for (unsigned threads = 2; threads != 0; --threads) program.push_back(std::to_string(1 + below(3)));
  for (unsigned fibers = 2 + below(2); fibers != 0; --fibers) {
    std::string script;
    for (unsigned left = 1 + below(4); left != 0; --left)
      script += k_operations[below(sizeof k_operations - 1)];
    program.push_back(script);
  }
  return program;
}

class FiberPrograms : public testing::TestWithParam<unsigned> {};

TEST_P(FiberPrograms, ReducedAsWhole) {
  const Folder folder;
  Words program = draw_program(GetParam());
  std::string text;
  for (const std::string& word : program) text += word + ' ';
  program.insert(program.begin(), REEX_PROGRAMS "/fiber_programs");
  const auto explore_with = [&](const char* reduction, const char* isolation) {
    const Ran ran = explore(folder,
                            {"--strategy", "icb", "--bound", "2", "--outcomes", "-k", "0", "--audit", "0",
                             "--reduction", reduction, "--isolation", isolation},
                            program);
    EXPECT_EQ(ran.status, 0) << text << describe(ran);
    EXPECT_TRUE(ran.report["bound_completed"] == 2 || ran.report["exhausted"] == true) << describe(ran);
    return ran.report;
  };
  const auto reduced = explore_with("auto", "restore");
  const auto whole = explore_with("none", "restore");
  const auto forked = explore_with("none", "fork");
  EXPECT_EQ(fewest_preemptions_of(reduced), fewest_preemptions_of(whole)) << text;
  EXPECT_EQ(outcomes_of(whole), outcomes_of(forked)) << text;
  EXPECT_NE(reduced["gaps"].dump().find("switch_stacks in fiber_programs switches between stacks"),
            std::string::npos)
      << reduced["gaps"].dump();
  EXPECT_LT(reduced["schedules"], whole["schedules"]) << text;
}

INSTANTIATE_TEST_SUITE_P(Drawn, FiberPrograms, testing::Range(first_seed(), first_seed() + 8));

} // namespace
} // namespace reex::runtime_test
