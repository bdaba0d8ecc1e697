// Runs a command, and turns what it throws into one line on standard error and a status.
#pragma once

#include <functional>

#include "cli/terminal/exit_status.h"

namespace reex {

ExitStatus guarded(const std::function<ExitStatus()>& command);

} // namespace reex
