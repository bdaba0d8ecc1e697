// Names: which one was probably meant, and which ones a pattern means.
#include <gtest/gtest.h>

#include <array>

#include "cli/options/glob.h"
#include "cli/options/settings.h"
#include "cli/options/similar.h"
#include "cli/terminal/command_error.h"

namespace reex {
namespace {

TEST(EditDistance, CountsInsertionsDeletionsChangesAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("bound", ""), 5U);
  EXPECT_EQ(edit_distance("bound", "bond"), 1U);
  EXPECT_EQ(edit_distance("bond", "bound"), 1U);
  EXPECT_EQ(edit_distance("budget", "bugdet"), 1U);
  EXPECT_EQ(edit_distance("seed", "slice"), 4U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(MostSimilar, IsTheNearestOrNone) {
  const std::array<std::string, 4> names = {"bound", "budget", "keep-going", "seed"};
  EXPECT_EQ(most_similar("bond", names), "bound");
  EXPECT_EQ(most_similar("Budgte", names), "budget");
  EXPECT_EQ(most_similar("KEEP_GOIN", names), "keep-going");
  EXPECT_EQ(most_similar("portfolio", names), "");
  EXPECT_EQ(most_similar("xy", names), "");
  EXPECT_EQ(did_you_mean("sed", names, "none"), "did you mean seed?");
  EXPECT_EQ(did_you_mean("portfolio", names, "none"), "none");
}

std::vector<std::string> suggestions(const std::vector<std::string>& words) {
  try {
    resolve_settings(parse_command_line(words), {[](const std::string&) { return std::nullopt; },
                                                 [](const std::string&) { return std::nullopt; }});
  } catch (const UsageError& error) {
    return {error.what()};
  }
  return {};
}

// Every option, with one letter less, leads to itself or to one that is as near.
TEST(MostSimilar, IsFoundForEveryOption) {
  for (const OptionRow& row : option_table()) {
    if (!row.is_option() || !row.belongs_to(Verb::run)) continue;
    const auto error = suggestions({row.long_name().substr(0, row.long_name().size() - 1), "test"});
    ASSERT_EQ(error.size(), 1U) << row.names;
    EXPECT_NE(error[0].find("did you mean --"), std::string::npos) << error[0];
  }
}

TEST(GlobOfPaths, StopsAtSlashes) {
  EXPECT_TRUE(glob_matches_path("src/*.cpp", "src/a.cpp"));
  EXPECT_FALSE(glob_matches_path("src/*.cpp", "src/b/a.cpp"));
  EXPECT_TRUE(glob_matches_path("src/**", "src/b/a.cpp"));
  EXPECT_TRUE(glob_matches_path("src/**/a.cpp", "src/a.cpp"));
  EXPECT_TRUE(glob_matches_path("src/**/a.cpp", "src/b/c/a.cpp"));
  EXPECT_FALSE(glob_matches_path("src/**/a.cpp", "src/b/ca.cpp"));
  EXPECT_TRUE(glob_matches_path("**/a.cpp", "a.cpp"));
  EXPECT_TRUE(glob_matches_path("**/*.h", "x/y/z.h"));
  EXPECT_FALSE(glob_matches_path("src/?", "src/"));
  EXPECT_TRUE(glob_matches_path("src/", "src/b/a.cpp"));
  EXPECT_FALSE(glob_matches_path("src/", "other/src/a.cpp"));
  EXPECT_TRUE(glob_matches_path("./src/a.cpp", "src/a.cpp"));
  EXPECT_TRUE(glob_matches_path("*a*b*/c*", "xaxbx/cd"));
  EXPECT_FALSE(glob_matches_path("*a*b*/c*", "xaxx/cd"));
}

TEST(GlobOfPaths, WithoutASlashMeansTheName) {
  EXPECT_TRUE(glob_matches_path("*.cpp", "src/b/a.cpp"));
  EXPECT_TRUE(glob_matches_path("a.[ch]pp", "src/b/a.cpp"));
  EXPECT_FALSE(glob_matches_path("a.[!ch]pp", "src/b/a.cpp"));
  EXPECT_TRUE(glob_matches_path("[a-c].cpp", "b.cpp"));
  EXPECT_FALSE(glob_matches_path("a.cpp", "src/ba.cpp"));
}

TEST(GlobOfFunctions, MatchesWithoutNamespacesAndParameters) {
  const char* const name = "ns::Queue<int>::pop(std::string const&) const";
  EXPECT_TRUE(glob_matches_function("pop", name));
  EXPECT_TRUE(glob_matches_function("Queue<int>::pop", name));
  EXPECT_TRUE(glob_matches_function("ns::*::pop", name));
  EXPECT_TRUE(glob_matches_function("pop(std::string const&) const", name));
  EXPECT_TRUE(glob_matches_function("Queue*", name));
  EXPECT_FALSE(glob_matches_function("op", name));
  EXPECT_FALSE(glob_matches_function("Queue", name));
  EXPECT_TRUE(glob_matches_function("main", "main"));
  EXPECT_TRUE(glob_matches_function("run", "(anonymous namespace)::run()"));
  EXPECT_TRUE(glob_matches_function("operator()", "main::{lambda()#1}::operator()() const"));
  EXPECT_FALSE(glob_matches_function("string", name));
}

} // namespace
} // namespace reex
