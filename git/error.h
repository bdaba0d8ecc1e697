// The exception that repositories and impact collection throw. Its text is one line that says what happened
// and what to do. If nobody catches it earlier, reex ends with exit status 6.
#pragma once

#include <stdexcept>
#include <string>

namespace reex {

class RepositoryError : public std::runtime_error {
public:
  explicit RepositoryError(const std::string& message) : std::runtime_error(message) {}
  static constexpr int k_exit_status = 6; // "the base or the diff cannot be resolved"
};

// There is none where it was looked for.
class NoRepository : public RepositoryError {
  using RepositoryError::RepositoryError;
};

} // namespace reex
