// Where a lock is taken for: guards, and functions as `Lock()` of a class of the project's own, take it for
// their caller, and all locks of a program would be taken at the same line.
//
// Callers: the parent process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "reex/records/trace.h"
#include "reex/run/result.h"

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

// The helpers of a trace. An acquisition is held against the release of it, and one that is not undone
// against where its thread is at the end.
class LockHelpers {
public:
  // The frames of return addresses; empty if the stack is not whole.
  using StackOf = std::function<std::vector<Frame>(std::span<const std::uint64_t>)>;

  LockHelpers() = default;
  // `steps`: those of the trace. Of a long one, only those that have a stack are looked at, and what is held
  // at the end. Cost: the stacks of these.
  LockHelpers(const TraceCopy& trace, const std::vector<TraceStep>& steps, const StackOf& stack_of);

  void mark(std::vector<TraceStep>& steps) const; // of the same trace
  void mark(std::vector<Frame>& stack, std::size_t step) const;
  void mark_waiting(std::vector<Frame>& stack) const;

private:
  void add(std::size_t step, const std::vector<Frame>& stack, const std::vector<Frame>& other);

  std::map<std::size_t, std::size_t> m_frames; // that are helpers, by step
  std::set<std::string> m_functions;
};

} // namespace reex
