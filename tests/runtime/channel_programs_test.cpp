// Programs about channels that are drawn at random: what is explored in place and with reduction is what
// processes of their own show without it.
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;

Words draw_program(unsigned seed) {
  constexpr char k_operations[] = "wwrrRRWeEsSppPBmdcCtaAnnMNgGiIflx";
  std::mt19937 draw(seed);
  const auto below = [&](unsigned limit) { return static_cast<unsigned>(draw() % limit); };
  Words threads(below(4) == 0 ? 3 : 2);
  for (std::string& thread : threads)
    for (unsigned left = threads.size() == 3 ? 1 + below(2) : 2 + below(3); left != 0; --left)
      thread += k_operations[below(sizeof k_operations - 1)];
  return threads;
}

class ChannelPrograms : public testing::TestWithParam<unsigned> {};

TEST_P(ChannelPrograms, RestoredAndReducedAsForked) {
  const Folder folder;
  Words program = draw_program(GetParam());
  std::string text;
  for (const std::string& thread : program) text += thread + ' ';
  program.insert(program.begin(), REEX_PROGRAMS "/channel_programs");
  const auto explore_with = [&](const char* isolation, const char* reduction) {
    return explore(folder,
                   {"--strategy", "icb", "--bound", "2", "--outcomes", "--keep-going", "0", "--races",
                    "report", "--isolation", isolation, "--reduction", reduction},
                   program);
  };
  const Ran restored = explore_with("restore", "hb");
  const Ran whole = explore_with("restore", "none");
  const Ran forked = explore_with("fork", "none");
  for (const Ran* ran : {&restored, &whole, &forked}) {
    ASSERT_TRUE(ran->report.is_object()) << text << describe(*ran);
    EXPECT_EQ(ran->report["bound_completed"] == 2 || ran->report["exhausted"] == true, true)
        << text << describe(*ran);
  }
  EXPECT_EQ(restored.report["control"]["isolation"], "restore") << text << describe(restored);
  EXPECT_EQ(outcomes_of(whole.report), outcomes_of(forked.report)) << text;
  EXPECT_EQ(fewest_preemptions_of(restored.report), fewest_preemptions_of(forked.report)) << text;
}

INSTANTIATE_TEST_SUITE_P(Drawn, ChannelPrograms, testing::Range(first_seed(), first_seed() + 12));

} // namespace
} // namespace reex::runtime_test
