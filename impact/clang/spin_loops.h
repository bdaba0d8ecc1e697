// Loops that only wait for other threads, as that of a spin lock: who comes behind one is ordered by it, as
// behind a call of the library that waits.
#pragma once

#include <vector>

#include <clang-c/Index.h>

namespace reex::impact {

// A `while` or `do` that goes on until a condition holds that others make true, and does nothing meanwhile,
// or that takes an atomic object by its condition.
bool is_spin_loop(CXCursor loop, const std::vector<CXCursor>& children);

// Whether the expression takes an atomic object for the thread: `exchange(true)`, `test_and_set()`, or a
// compare-exchange with a constant. One with a value of the thread publishes something instead.
bool takes_atomic(CXCursor expression);

} // namespace reex::impact
