// Finds the value of each option. The command line has precedence over the environment (REEX_*), the
// environment over git's configuration (reex.*), and this over the default.
//
// Callers: the main function, on one thread.
//
// Invariants: a verb gets only the options that it accepts. An empty environment variable counts as not set.
//
// Errors: UsageError for a value that is not understood. It names the origin of the value.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/command_line.h"
#include "cli/options/options.h"

namespace reex {

// The sources of settings outside of the command line. A function returns nullopt if the setting is not set.
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

Settings resolve_settings(const CommandLine& line, const SettingSources& sources);

} // namespace reex
