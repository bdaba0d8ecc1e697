// The settings of `git -c`, as git hands them to a hook.
#include <gtest/gtest.h>

#include <map>

#include "git/command_config.h"

namespace reex::test {
namespace {

std::vector<ConfigEntry> parse(const std::map<std::string, std::string>& environment) {
  return parse_command_config([&](const std::string& name) {
    const auto found = environment.find(name);
    return found == environment.end() ? std::nullopt : std::optional(found->second);
  });
}

TEST(CommandConfig, IsEmptyWithoutVariables) { EXPECT_TRUE(parse({}).empty()); }

TEST(CommandConfig, ReadsWhatGitWrites) {
  const auto entries =
      parse({{"GIT_CONFIG_PARAMETERS",
              R"('reex.hook.budget'='5s' 'Reex.Bound'='1' 'reex.strict'= 'a.b.c'='it'\''s'\!'')"}});
  ASSERT_EQ(entries.size(), 4U);
  EXPECT_EQ(entries[0].key, "reex.hook.budget");
  EXPECT_EQ(entries[0].value, "5s");
  EXPECT_EQ(entries[1].key, "reex.bound");
  EXPECT_EQ(entries[2].value, std::nullopt);
  EXPECT_EQ(entries[3].value, "it's!");
}

TEST(CommandConfig, ReadsTheWordsOfOlderGits) {
  const auto entries = parse({{"GIT_CONFIG_PARAMETERS", "'reex.bound=1=2' 'reex.strict'"}});
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].key, "reex.bound");
  EXPECT_EQ(entries[0].value, "1=2");
  EXPECT_EQ(entries[1].value, std::nullopt);
}

TEST(CommandConfig, TheCommandLineCountsMoreThanNumberedVariables) {
  const auto entries = parse({{"GIT_CONFIG_COUNT", "2"},
                              {"GIT_CONFIG_KEY_0", "reex.bound"},
                              {"GIT_CONFIG_VALUE_0", "3"},
                              {"GIT_CONFIG_KEY_1", "reex.base"}, // without its value
                              {"GIT_CONFIG_PARAMETERS", "'reex.bound'='1'"}});
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].value, "3");
  EXPECT_EQ(entries[1].value, "1");
}

TEST(CommandConfig, LeavesOutWhatGitDoesNotWrite) {
  EXPECT_TRUE(parse({{"GIT_CONFIG_PARAMETERS", "nonsense"}}).empty());
  EXPECT_TRUE(parse({{"GIT_CONFIG_PARAMETERS", "'reex.bound"}}).empty());
  EXPECT_TRUE(parse({{"GIT_CONFIG_PARAMETERS", "'reex.bound'='1"}}).empty());
  EXPECT_TRUE(parse({{"GIT_CONFIG_COUNT", "many"}}).empty());
}

class OneSetting : public GitConfig {
public:
  std::string root() const override { return "/root"; }
  std::vector<std::string> keys() const override { return {"reex.bound"}; }
  std::optional<std::string> value(const std::string&) const override { return "2"; }
  std::vector<std::string> values(const std::string&) const override { return {"2"}; }
};

TEST(CommandConfig, StandsOverTheFiles) {
  const auto config = with_entries(
      std::make_unique<OneSetting>(),
      {{"reex.bound", "1"}, {"reex.bound", "0"}, {"reex.strict", std::nullopt}, {"user.name", "x"}});
  EXPECT_EQ(config->root(), "/root");
  EXPECT_EQ(config->value("reex.bound"), "0");
  EXPECT_EQ(config->value("reex.strict"), "true");
  EXPECT_EQ(config->value("reex.base"), "2") << "of the file";
  EXPECT_EQ(config->values("reex.bound"), (std::vector<std::string>{"2", "1", "0"}));
  EXPECT_EQ(config->keys(),
            (std::vector<std::string>{"reex.bound", "reex.bound", "reex.bound", "reex.strict"}));
}

} // namespace
} // namespace reex::test
