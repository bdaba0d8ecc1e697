#include "cli/options/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <unistd.h>

#include "cli/options/setting_names.h"
#include "cli/terminal/command_error.h"
#include "git/config.h"

namespace reex {
namespace {

struct Found {
  std::string value;
  std::string name;   // for errors
  std::string origin; // for `reex doctor`
};

std::optional<Found> look_up(const OptionRow& row, const CommandLine& line, const SettingSources& sources) {
  if (const auto given = line.given.find(&row); given != line.given.end()) {
    return Found{given->second, row.long_name(), "option"};
  }
  if (row.setting) {
    if (const auto value = sources.environment(row.variable()))
      return Found{*value, row.variable(), row.variable()};
    const std::string key = "reex." + row.key();
    if (const auto value = sources.git_config(key))
      return Found{*value, "git config " + key, "git config " + key};
    if (const FileSetting* setting = sources.file ? sources.file->find(row.key()) : nullptr;
        setting != nullptr)
      return Found{setting->value, setting->where + ": " + row.key(), setting->where};
  }
  if (*row.fallback != '\0') return Found{row.fallback, row.long_name(), "default"};
  return std::nullopt;
}

// An empty value is a mistake, as of a variable of a script that is not set. Only a filter may be empty.
void refuse_empty(const OptionRow& row, const Found& found) {
  if (!found.value.empty() || *row.value == '\0' || row.key() == "filter") return;
  throw UsageError(fmt::format("{}: the value is empty: give {}, or leave it out", found.name, row.value));
}

// A base that is a setting is the change of every run that names no other one.
void let_options_replace_base(Options& options) {
  if (options.by_option.contains("base")) return;
  for (const char* other : {"all", "diff", "staged", "worktree"})
    if (options.by_option.contains(other)) options.change.base.clear();
}

} // namespace

SettingSources system_sources(const std::string& folder) {
  SettingSources sources;
  // An empty variable counts as not set, because scripts disable a variable in this way.
  sources.environment = [](const std::string& variable) -> std::optional<std::string> {
    const char* value = std::getenv(variable.c_str());
    if (value == nullptr || *value == '\0') return std::nullopt;
    return value;
  };
  const auto config = std::shared_ptr<const GitConfig>(open_config(folder));
  sources.git_config = [config](const std::string& key) { return config->value(key); };
  sources.git_keys = config->keys();
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos && equals + 1 < text.size())
      sources.variables.push_back(text.substr(0, equals));
  }
  const std::string root = config->root();
  sources.file = read_project_file(root.empty() ? folder : root);
  return sources;
}

SettingSources sources_for(const CommandLine& line, const std::string& folder) {
  const auto rows = option_table();
  const auto has_settings = [&](const OptionRow& row) { return row.setting && row.belongs_to(line.verb); };
  if (std::none_of(rows.begin(), rows.end(), has_settings)) {
    const auto nothing = [](const std::string&) -> std::optional<std::string> { return std::nullopt; };
    return {nothing, nothing};
  }
  for (const auto& [row, value] : line.given)
    if (row->key() == "repo" && !value.empty()) return system_sources(value);
  const char* repository = std::getenv("REEX_REPO");
  return system_sources(repository != nullptr && *repository != '\0' ? repository : folder);
}

Settings resolve_settings(const CommandLine& line, const SettingSources& sources) {
  Settings settings;
  for (const std::string& name : sources.variables) check_variable(name);
  for (const std::string& key : sources.git_keys) check_git_key(key);
  for (const OptionRow& row : option_table()) {
    if (!row.belongs_to(line.verb)) continue;
    const auto found = look_up(row, line, sources);
    if (found) refuse_empty(row, *found);
    if (found) row.apply(settings.options, found->name, found->value);
    if (found && found->origin != "default") settings.options.given.insert(row.key());
    if (found && found->origin == "option") settings.options.by_option.insert(row.key());
    if (row.setting) {
      settings.origins.push_back({row.key(), found ? found->value : "", found ? found->origin : "default"});
    }
  }
  let_options_replace_base(settings.options);
  settings.file = sources.file;
  return settings;
}

} // namespace reex
