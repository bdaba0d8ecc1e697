// The settings of `git -c KEY=VALUE push` and `--config-env`. git hands them to hooks in its environment, and
// libgit2 does not read them there.
//
// Errors: none. What git itself would not have written is left out.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "git/config.h"

namespace reex {

struct ConfigEntry {
  std::string key;                  // "reex.hook.budget", as git writes it
  std::optional<std::string> value; // nullopt: the key stood alone
};

// In the order in which they count: of two values of a key the later one holds. `variable` looks up a
// variable of the environment.
std::vector<ConfigEntry>
parse_command_config(const std::function<std::optional<std::string>(const std::string&)>& variable);

// Those that this process was started with. They are read once: with the first configuration that is opened,
// before reex forgets git's variables for the test's sake.
const std::vector<ConfigEntry>& command_config();

// The configuration, and over it these entries.
std::unique_ptr<GitConfig> with_entries(std::unique_ptr<GitConfig> config,
                                        const std::vector<ConfigEntry>& entries);

} // namespace reex
