// Whether a thread can execute its pending operation (semantics: "Enabled"). Defined in schedule
// (enabled.cpp), which asks each family of operations for its part.
#pragma once

#include "reex/runtime/core/fiber.h"

namespace reex {

bool is_enabled(const Fiber& fiber);
bool is_enabled(const Fiber& fiber, bool timeouts); // timeouts: a timed wait may end at any time
bool can_time_out(const Fiber& fiber);

// Whether the pending operation can run by itself, signals and cancellation aside.
bool operation_enabled(const Fiber& fiber, bool timeouts);

// There is a signal to deliver (signals.cpp).
bool has_signal(const Fiber& fiber);

// The fiber that holds what the pending operation waits for, -1 if none or several.
int holder_of(const Pending& pending);

} // namespace reex
