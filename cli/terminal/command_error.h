// The exception that ends a command: one line for standard error ("what happened: what to do"), and the exit
// status.
#pragma once

#include <stdexcept>
#include <string>

#include "cli/terminal/exit_status.h"

namespace reex {

class CommandError : public std::runtime_error {
public:
  CommandError(ExitStatus status, const std::string& line) : std::runtime_error(line), m_status(status) {}
  ExitStatus status() const { return m_status; }

private:
  ExitStatus m_status;
};

struct UsageError : CommandError {
  explicit UsageError(const std::string& line) : CommandError(ExitStatus::usage, line) {}
};

} // namespace reex
