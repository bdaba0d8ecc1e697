// Programs with a library without hooks that are drawn at random: with the reduction, which does without the
// library until a thread enters it, all is seen that is seen without it.
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;

Words draw_program(unsigned seed) {
  // In every third program, all threads may enter; in every third, they do so by what they have seen alone.
  constexpr const char* k_operations[] = {"aarwmmpts", "aarwmmpss", "aarwmmp"};
  const std::string operations = k_operations[seed % 3];
  std::mt19937 draw(seed);
  const auto below = [&](std::size_t limit) { return draw() % limit; };
  Words program;
  for (std::size_t threads = 2 + below(2); threads != 0; --threads) {
    std::string script;
    for (std::size_t left = 1 + below(4); left != 0; --left) script += operations[below(operations.size())];
    program.push_back(script);
  }
  return program;
}

class DormantPrograms : public testing::TestWithParam<unsigned> {};

TEST_P(DormantPrograms, ReducedAsWhole) {
  const Folder folder;
  Words program = draw_program(GetParam());
  std::string text;
  for (const std::string& word : program) text += word + ' ';
  program.insert(program.begin(), REEX_PROGRAMS "/dormant_programs");
  const auto explore_with = [&](const char* reduction, const char* isolation, const char* jobs) {
    const Ran ran =
        explore(folder,
                {"--strategy", "icb", "--bound", "2", "--outcomes", "-k", "0", "--audit", "0", "--races",
                 "report", "--reduction", reduction, "--isolation", isolation, "--jobs", jobs},
                program);
    EXPECT_EQ(ran.status, 0) << text << describe(ran);
    EXPECT_TRUE(ran.report["bound_completed"] == 2 || ran.report["exhausted"] == true) << describe(ran);
    return ran.report;
  };
  const auto reduced = explore_with("auto", "restore", "1");
  const auto shared = explore_with("auto", "restore", "2");
  const auto whole = explore_with("none", "restore", "1");
  const auto forked = explore_with("none", "fork", "1");
  EXPECT_EQ(fewest_preemptions_of(reduced), fewest_preemptions_of(whole)) << text;
  EXPECT_EQ(fewest_preemptions_of(shared), fewest_preemptions_of(whole)) << text;
  EXPECT_EQ(fewest_preemptions_of(forked), fewest_preemptions_of(whole)) << text;
  EXPECT_EQ(reduced["findings"].size(), whole["findings"].size()) << text;
}

INSTANTIATE_TEST_SUITE_P(Drawn, DormantPrograms, testing::Range(first_seed(), first_seed() + 12));

} // namespace
} // namespace reex::runtime_test
