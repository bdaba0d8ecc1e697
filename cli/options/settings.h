// Where the value of each option comes from: option > REEX_* > git config reex.* > default.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/command_line.h"
#include "cli/options/options.h"

namespace reex {

// The outside world of the settings; nullopt where nothing is set.
struct SettingSources {
  std::function<std::optional<std::string>(const std::string& variable)> environment;
  std::function<std::optional<std::string>(const std::string& key)> git_config; // "reex.bound"
};

SettingSources system_sources(const std::string& folder);

struct Setting {
  std::string name;   // "bound"
  std::string value;  // as text; "" if none
  std::string origin; // "option", "REEX_BOUND", "git config reex.bound", "default"
};

struct Settings {
  Options options;
  std::vector<Setting> origins; // of the verb's settings, in the table's order
};

// Throws UsageError for a value that is not understood, and names its origin.
Settings resolve_settings(const CommandLine& line, const SettingSources& sources);

} // namespace reex
