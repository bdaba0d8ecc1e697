// What stops a push: a failure does, whatever the settings say; an interruption does. An error that keeps
// reex from a verdict stops it if hook.on-error says so, and is always told (docs/hook.md: "What stops a
// push").
#pragma once

#include <cstdint>

#include "cli/options/options.h"
#include "cli/terminal/exit_status.h"

namespace reex {

enum class Ruling : std::uint8_t { lets_through, by_on_error, stops };

// The table, by the status that `reex` itself would have ended with.
Ruling ruling_of(ExitStatus status);

bool stops(ExitStatus status, HookOnError on_error);

} // namespace reex
