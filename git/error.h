// The one exception of the repository and of impact collection. Its text is one line: what happened, and what
// to do. The command line ends with exit status 6 when it reaches the top.
#pragma once

#include <stdexcept>
#include <string>

namespace reex {

class RepositoryError : public std::runtime_error {
public:
  explicit RepositoryError(const std::string& message) : std::runtime_error(message) {}
  static constexpr int k_exit_status = 6; // "the base or the diff cannot be resolved"
};

} // namespace reex
