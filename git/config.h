// The git configuration that is in force in a folder: that of the repository, if there is one, of the user
// and of the system, and over them what git was given on its command line (command_config.h).
//
// Cost: libgit2 is loaded only where the configuration may have settings of reex (discover.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace reex {

class GitConfig {
public:
  virtual ~GitConfig() = default;

  // The root of the repository's working tree; "" if the folder is in none.
  virtual std::string root() const = 0;

  // The names of all keys of the section `reex`, "reex.bound", as git writes them.
  virtual std::vector<std::string> keys() const = 0;

  // Of a key of that section. nullopt if it is not set, or the configuration cannot be read.
  virtual std::optional<std::string> value(const std::string& key) const = 0;
  // All values of a key that may occur several times.
  virtual std::vector<std::string> values(const std::string& key) const = 0;
};

std::unique_ptr<GitConfig> open_config(const std::string& folder);

} // namespace reex
