// Finds the value of each option. The command line has precedence over the environment (REEX_*), the
// environment over git's configuration (reex.*), this over .reex.toml, and this over the default.
//
// Callers: the main function, on one thread.
//
// Invariants: a verb gets only the options that it accepts. An empty environment variable counts as not set;
// an empty value from elsewhere is an error. A base that is a setting gives way to an option that names
// another change.
//
// Errors: UsageError for a value that is not understood, and for a name that looks like a setting and is
// none. It names the origin.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/command_line.h"
#include "cli/options/options.h"
#include "cli/options/project_file.h"

namespace reex {

// The sources of settings outside of the command line. A function returns nullopt if the setting is not set.
struct SettingSources {
  std::function<std::optional<std::string>(const std::string& variable)> environment;
  std::function<std::optional<std::string>(const std::string& key)> git_config; // "reex.bound"
  std::optional<ProjectFile> file = std::nullopt;
  std::vector<std::string> variables = {}; // the names of all that are set
  std::vector<std::string> git_keys = {};  // of the section reex
};

// Those of the repository that holds the folder. Without one, .reex.toml is taken from the folder itself.
SettingSources system_sources(const std::string& folder);
// The same, of the folder that --repo names if it is given. A verb that has no settings gets no sources, so a
// build that asks for flags does not depend on them.
SettingSources sources_for(const CommandLine& line, const std::string& folder);

struct Setting {
  std::string name;   // "bound"
  std::string value;  // as text; "" if none
  std::string origin; // "option", "REEX_BOUND", "git config reex.bound", ".reex.toml:3:9",
                      // "default"
};

struct Settings {
  Options options;
  std::vector<Setting> origins; // of the verb's settings, in the table's order
  std::optional<ProjectFile> file;
};

Settings resolve_settings(const CommandLine& line, const SettingSources& sources);

} // namespace reex
