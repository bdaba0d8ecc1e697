#include "cli/options/settings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "cli/options/setting_names.h"
#include "cli/terminal/command_error.h"
#include "reex/shared/protocol.h"

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

TEST(Settings, TakeTheFileLast) {
  SettingSources from = sources({{"REEX_SEED", "1"}}, {{"reex.bound", "4"}});
  from.file = parse_project_file("seed = 2\nbound = 5\njobs = 3\n[hook]\nbudget = \"5s\"\n", "f.toml", "/");
  const Settings settings = resolve_settings(parse_command_line({"test"}), from);
  EXPECT_EQ(settings.options.seed, 1U);
  EXPECT_EQ(settings.options.bound, 4U);
  EXPECT_EQ(settings.options.jobs, 3U);
  EXPECT_EQ(origin(settings, "jobs"), "f.toml:3:8");
  const Settings doctor = resolve_settings(parse_command_line({"doctor"}), from);
  EXPECT_EQ(doctor.options.hook_budget, std::chrono::seconds(5));
  EXPECT_EQ(doctor.options.hook_on_error, HookOnError::warn);
  EXPECT_EQ(origin(doctor, "hook.on-error"), "default");
}

TEST(Settings, TakeTheBaseFromEverywhere) {
  const Values config = {{"reex.base", "main"}};
  EXPECT_EQ(resolve({"test"}, {}, config).options.change.base, "main");
  EXPECT_EQ(resolve({"test"}, {{"REEX_BASE", "HEAD"}}, config).options.change.base, "HEAD");
  EXPECT_EQ(resolve({"--base", "a", "test"}, {{"REEX_BASE", "HEAD"}}, config).options.change.base, "a");
  EXPECT_EQ(resolve({"--head", "a", "test"}, {}, config).options.change.base, "main");
}

TEST(Settings, LetAnotherChangeReplaceABaseThatIsASetting) {
  const Values config = {{"reex.base", "main"}};
  const std::vector<std::vector<std::string>> others = {
      {"--all", "test"}, {"--staged", "test"}, {"--worktree", "test"}, {"--diff", "d", "test"}};
  for (const auto& words : others) EXPECT_EQ(resolve(words, {}, config).options.change.base, "") << words[0];
  EXPECT_EQ(resolve({"--all", "--base", "a", "test"}, {}, {}).options.change.base, "a");
}

TEST(Settings, MayNotBeEmpty) {
  EXPECT_THROW(resolve({"--base", "", "test"}, {}, {}), UsageError);
  EXPECT_THROW(resolve({"--diff", "", "test"}, {}, {}), UsageError);
  EXPECT_THROW(resolve({"test"}, {}, {{"reex.base", ""}}), UsageError);
  EXPECT_NO_THROW(resolve({"--filter", "", "test"}, {}, {}));
}

TEST(Settings, LetAHeuristicWaitForAChange) {
  EXPECT_FALSE(resolve({"test"}, {{"REEX_HEURISTIC", "ma"}}, {}).options.heuristic_by_option);
  const Settings named = resolve({"--heuristic", "ma", "test"}, {}, {});
  EXPECT_TRUE(named.options.heuristic_by_option);
  EXPECT_EQ(named.options.heuristic, "MA");
}

std::string error_of(const SettingSources& from) {
  try {
    resolve_settings(parse_command_line({"test"}), from);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Settings, RefuseNamesThatAreNone) {
  SettingSources from = sources({}, {});
  from.variables = {"PATH", "REEX_BOUND", "REEX_TEST_ANYTHING", "REEX_HOOK_BUDGET"};
  from.git_keys = {"reex.bound", "reex.hook.on-error"};
  EXPECT_EQ(error_of(from), "");
  from.variables = {"REEX_BUND"};
  EXPECT_EQ(error_of(from), "REEX_BUND: there is no such setting: did you mean REEX_BOUND?");
  from.variables = {"REEX_RESUME"};
  EXPECT_EQ(error_of(from), "REEX_RESUME: resume is an option and no setting: give it on the command line");
  from.variables.clear();
  from.git_keys = {"reex.hook.onerror"};
  EXPECT_EQ(error_of(from),
            "git config reex.hook.onerror: there is no such setting: did you mean reex.hook.on-error?");
}

// A test that starts reex itself has them in its environment.
TEST(Settings, KnowTheVariablesThatReexSets) {
  for (const char* name : {k_control_variable, k_shared_variable, k_table_variable, k_log_variable})
    EXPECT_NO_THROW(check_variable(name)) << name;
  for (const OptionRow& row : option_table()) {
    const auto others = other_variables();
    if (!row.setting) continue;
    EXPECT_EQ(std::find(others.begin(), others.end(), row.variable()), others.end()) << row.names;
  }
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
