#include "reex/process/environment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace reex {
namespace {

bool holds(const std::vector<std::string>& environment, const std::string& name) {
  return std::any_of(environment.begin(), environment.end(),
                     [&](const std::string& entry) { return entry.starts_with(name + '='); });
}

TEST(Environment, IsCleanForListing) {
  for (const char* name : {"GIT_DIR", "GTEST_FILTER", "GTEST_TOTAL_SHARDS", "REEX_KEPT"})
    setenv(name, "x", 1);
  const auto environment = clean_environment();
  EXPECT_FALSE(holds(environment, "GIT_DIR"));
  EXPECT_FALSE(holds(environment, "GTEST_FILTER"));
  EXPECT_FALSE(holds(environment, "GTEST_TOTAL_SHARDS"));
  EXPECT_TRUE(holds(environment, "REEX_KEPT"));
  for (const char* name : {"GIT_DIR", "GTEST_FILTER", "GTEST_TOTAL_SHARDS", "REEX_KEPT"}) unsetenv(name);
}

TEST(Environment, FixesTheSeedOfQtsTables) {
  unsetenv("QT_HASH_SEED");
  EXPECT_EQ(environment_of_test().front(), "QT_HASH_SEED=0");
  setenv("QT_HASH_SEED", "7", 1);
  const auto environment = environment_of_test();
  EXPECT_EQ(std::count_if(environment.begin(), environment.end(),
                          [](const std::string& entry) { return entry.starts_with("QT_HASH_SEED="); }),
            1);
  EXPECT_NE(std::find(environment.begin(), environment.end(), "QT_HASH_SEED=7"), environment.end());
  unsetenv("QT_HASH_SEED");
}

TEST(Environment, LosesGitsLocalVariables) {
  setenv("GIT_DIR", "/elsewhere", 1);
  setenv("GIT_INDEX_FILE", "/elsewhere/index", 1);
  setenv("GIT_AUTHOR_NAME", "kept", 1);
  unset_git_local_variables();
  EXPECT_EQ(std::getenv("GIT_DIR"), nullptr);
  EXPECT_EQ(std::getenv("GIT_INDEX_FILE"), nullptr);
  EXPECT_NE(std::getenv("GIT_AUTHOR_NAME"), nullptr);
  unsetenv("GIT_AUTHOR_NAME");
}

} // namespace
} // namespace reex
