// git's configuration as it holds in a folder: the repository's where there is one, the user's and the
// system's.
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace reex {

class GitConfig {
public:
  explicit GitConfig(const std::string& folder);
  ~GitConfig();
  GitConfig(const GitConfig&) = delete;
  GitConfig& operator=(const GitConfig&) = delete;

  // nullopt if the key is not set, or nothing can be read.
  std::optional<std::string> value(const std::string& key) const;

private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

} // namespace reex
