// The git configuration that is in force in a folder: that of the repository, if there is one, of the user
// and of the system.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace reex {

class GitConfig {
public:
  explicit GitConfig(const std::string& folder);
  ~GitConfig();
  GitConfig(const GitConfig&) = delete;
  GitConfig& operator=(const GitConfig&) = delete;

  // The root of the repository's working tree; "" if the folder is in none.
  std::string root() const;

  // The names of all keys of a section, "reex.bound", as git writes them.
  std::vector<std::string> keys(const std::string& section) const;

  // nullopt if the key is not set, or the configuration cannot be read.
  std::optional<std::string> value(const std::string& key) const;
  // All values of a key that may occur several times.
  std::vector<std::string> values(const std::string& key) const;

private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

} // namespace reex
