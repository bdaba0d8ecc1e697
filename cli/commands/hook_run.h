// `reex hook run`, which the pre-push hook calls: reads from standard input what is pushed, and explores the
// tests of the project on it.
#pragma once

#include "cli/commands/commands.h"

namespace reex {

// Returns what git gets: 0 lets the push go on.
ExitStatus hook_run(const Invocation& invocation);

} // namespace reex
