#include "cli/options/settings.h"

#include <gtest/gtest.h>

#include <map>

#include "cli/terminal/command_error.h"

namespace reex {
namespace {

using Values = std::map<std::string, std::string>;

SettingSources sources(Values environment, Values config) {
  const auto look_up = [](Values values) {
    return [values](const std::string& name) -> std::optional<std::string> {
      const auto found = values.find(name);
      if (found == values.end()) return std::nullopt;
      return found->second;
    };
  };
  return {look_up(std::move(environment)), look_up(std::move(config))};
}

Settings resolve(const std::vector<std::string>& words, Values environment, Values config) {
  return resolve_settings(parse_command_line(words), sources(std::move(environment), std::move(config)));
}

std::string origin(const Settings& settings, const std::string& name) {
  for (const Setting& setting : settings.origins) {
    if (setting.name == name) return setting.origin;
  }
  return "(none)";
}

TEST(Settings, TakeTheNearestOrigin) {
  const Values environment = {{"REEX_BOUND", "3"}, {"REEX_KEEP_GOING", "0"}};
  const Values config = {{"reex.bound", "4"}, {"reex.keep-going", "5"}, {"reex.seed", "6"}};
  const Settings settings = resolve({"--bound", "1", "test"}, environment, config);
  EXPECT_EQ(settings.options.bound, 1U);
  EXPECT_EQ(settings.options.keep_going, 0U);
  EXPECT_EQ(settings.options.seed, 6U);
  EXPECT_EQ(settings.options.max_steps, 20000U);
  EXPECT_EQ(origin(settings, "bound"), "option");
  EXPECT_EQ(origin(settings, "keep-going"), "REEX_KEEP_GOING");
  EXPECT_EQ(origin(settings, "seed"), "git config reex.seed");
  EXPECT_EQ(origin(settings, "max-steps"), "default");
}

TEST(Settings, BlameTheOriginOfABadValue) {
  try {
    resolve({"test"}, {}, {{"reex.bound", "many"}});
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("git config reex.bound: 'many'")) << error.what();
  }
}

TEST(Settings, DoNotTakeAChangeFromTheEnvironment) {
  EXPECT_FALSE(resolve({"test"}, {{"REEX_BASE", "HEAD"}}, {{"reex.base", "main"}}).options.change.given());
}

TEST(Settings, LetAHeuristicWaitForAChange) {
  EXPECT_FALSE(resolve({"test"}, {{"REEX_HEURISTIC", "ma"}}, {}).options.heuristic_by_option);
  const Settings named = resolve({"--heuristic", "ma", "test"}, {}, {});
  EXPECT_TRUE(named.options.heuristic_by_option);
  EXPECT_EQ(named.options.heuristic, "MA");
}

TEST(Settings, AreReadFromTheDefaultsThatHelpShows) {
  for (const OptionRow& row : option_table()) {
    if (*row.fallback == '\0') continue;
    Options options;
    EXPECT_NO_THROW(row.apply(options, row.long_name(), row.fallback)) << row.names;
  }
}

} // namespace
} // namespace reex
