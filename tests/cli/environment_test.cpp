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

TEST(Environment, OfATestHasDefaults) {
  const std::pair<std::string, std::string> defaults[] = {
      {"QT_HASH_SEED", "0"}, {"QTEST_DISABLE_STACK_DUMP", "1"}, {"CK_FORK", "no"}};
  for (const auto& [name, value] : defaults) {
    const std::string begin = name + '=';
    const auto values = [&] {
      std::vector<std::string> found;
      for (const std::string& entry : environment_of_test())
        if (entry.starts_with(begin)) found.push_back(entry.substr(begin.size()));
      return found;
    };
    unsetenv(name.c_str());
    EXPECT_EQ(values(), std::vector<std::string>{value});
    setenv(name.c_str(), "7", 1);
    EXPECT_EQ(values(), std::vector<std::string>{"7"});
    unsetenv(name.c_str());
  }
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
