// Generated programs whose threads use hidden state of libc and libstdc++: the reduction keeps all outcomes,
// and the fewest preemptions of each.
#include <array>
#include <random>

#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;

// The uses of one object, and locks, which separate them.
constexpr std::array<std::string_view, 10> k_uses = {"rrs", "kKK", "yyd", "ggeu", "nNN",
                                                     "xxr", "hvh", "tTw", "ppl",  "hlL"};
constexpr unsigned k_programs = 30;

std::string script(std::mt19937& random, std::string_view uses) {
  std::string result;
  for (unsigned length = 2 + random() % 2; result.size() < length;)
    result += random() % 4 == 0 ? "lL"[random() % 2] : uses[random() % uses.size()];
  return result;
}

std::map<std::string, unsigned> reached(const Ran& ran) {
  std::map<std::string, unsigned> fewest;
  for (const auto& [text, seen] : outcomes_of(ran.report)) fewest[text] = seen.preemptions;
  return fewest;
}

TEST(HiddenState, TheReductionKeepsOutcomesOfGeneratedPrograms) {
  std::mt19937 random(1);
  std::size_t outcomes = 0, pruned = 0;
  for (unsigned i = 0; i < k_programs; ++i) {
    const std::string_view uses = k_uses[i % k_uses.size()];
    Words run{REEX_PROGRAMS "/hidden_state", script(random, uses), script(random, uses)};
    if (i % 3 == 0) run.push_back(std::string(1, uses.back()));
    const Folder folder;
    const Words options{"-k", "0", "--outcomes", "--bound", "2", "--reduction"};
    const auto with = [&](const Words& more) {
      Words all = options;
      all.insert(all.end(), more.begin(), more.end());
      return explore(folder, all, run);
    };
    const Ran all = with({"none"});
    ASSERT_TRUE(all.report.is_object()) << describe(all);
    EXPECT_EQ(all.report["control"]["isolation"], "restore") << describe(all);
    const Ran reduced = with({"auto"});
    EXPECT_EQ(reached(all), reached(reduced)) << describe(all) << describe(reduced);
    const Ran forked = with({"hb", "--isolation", "fork"});
    EXPECT_EQ(reached(all), reached(forked)) << describe(all) << describe(forked);
    outcomes += reached(all).size();
    pruned += reduced.report["pruned"].get<std::size_t>();
  }
  EXPECT_GT(outcomes, 2 * k_programs);
  EXPECT_GT(pruned, k_programs);
}

Ran explore_all(const Folder& folder, const std::string& script, const std::string& reduction) {
  return explore(folder,
                 {"-k", "0", "--outcomes", "--audit", "0", "--strategy", "icb", "--bound", "none",
                  "--reduction", reduction},
                 {REEX_PROGRAMS "/hidden_state", script, script});
}

// What a thread draws does not depend on what others draw: one order of the two shows all.
TEST(HiddenState, EachThreadDrawsItsOwnRandomNumbers) {
  const Folder folder;
  const Ran all = explore_all(folder, "lvlv", "none");
  EXPECT_EQ(reached(all).size(), 1u) << describe(all);
  EXPECT_GT(all.report["schedules"].get<unsigned>(), 20u) << describe(all);
  const Ran reduced = explore_all(folder, "lvlv", "auto");
  EXPECT_EQ(reached(reduced), reached(all)) << describe(reduced);
  EXPECT_LE(reduced.report["schedules"].get<unsigned>(), 2u) << describe(reduced);
}

// Each puts the handler of the other one back where it found it, so one of two may be lost.
TEST(HiddenState, HandlersAndNumbersOfLibraries) {
  const Folder folder;
  EXPECT_EQ(reached(explore_all(folder, "T", "auto")).size(), 2u);
  EXPECT_GE(reached(explore_all(folder, "Tt", "auto")).size(), 3u);
  EXPECT_EQ(reached(explore_all(folder, "w", "auto")).size(), 2u);
  EXPECT_EQ(reached(explore_all(folder, "p", "auto")).size(), 2u);
}

// The locks are of the threads' own, and the registration is no operation. Yet its order is seen at the end.
TEST(HiddenState, TheReductionKeepsOrdersOfExitHandlers) {
  const Folder folder;
  for (const std::string script : {"lh", "lhlh", "hlhl"}) {
    const Ran all = explore_all(folder, script, "none");
    EXPECT_GE(reached(all).size(), 2u) << describe(all);
    EXPECT_EQ(reached(explore_all(folder, script, "auto")), reached(all)) << script;
  }
}

} // namespace
} // namespace reex::runtime_test
