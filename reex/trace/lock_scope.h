// Where a lock is taken for: guards, and functions as `Lock()` of a class of the project's own, take it for
// their caller, and all locks of a program would be taken at the same line.
//
// Callers: the parent process. Cost: linear in the steps.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "reex/symbols/frame.h"

namespace reex {

// Of the stack of an acquisition, and one of the same thread while it has the lock, or as it gives it back:
// the frame in the first whose function runs at both times, and is the innermost one that does. The frames
// before it, innermost first, are helpers. 0: there are none, or the stacks do not tell.
std::size_t scope_of(const std::vector<Frame>& taken, const std::vector<Frame>& later);

// Marks the first frames as helpers, but not if one of them is on a changed line, nor all of them.
void mark_helpers(std::vector<Frame>& stack, std::size_t count);

// The first frames that are of these functions, or of libraries between them: a thread that waits in a
// helper.
std::size_t frames_of(const std::vector<Frame>& stack, const std::set<std::string>& functions);

} // namespace reex
