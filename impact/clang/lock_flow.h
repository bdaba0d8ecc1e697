// Where a lock is held: along each path through a function, from the place that takes it to each place that
// releases it. The walker tells the steps of the function in the order of the source.
//
// Cost: the steps of the function, for each lock that it takes.
//
// Errors: none. A jump backwards leads nowhere; a loop's second round is its first one. Whether two
// conditions say the same is not known: behind an `if` that releases the lock only in a branch that goes on,
// the lock is taken to be held if it is released once more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace reex::impact {

struct FlowStep {
  enum class Kind : std::uint8_t {
    lock,
    unlock,
    guard,  // a variable that unlocks at the end of its scope, and does not lock yet
    holder, // one that locks, too
    open,   // of a scope
    close,
    branch, // an `if`, behind its condition
    otherwise,
    join,
    loop,
    loop_end,
    choice, // a `switch`, behind its condition
    label,  // of a `switch`
    choice_end,
    attempt, // a `try`
    handler,
    attempt_end,
    target, // of a `goto`
    gone,   // a `goto`
    leaves, // the function
    breaks,
    continues,
    ends, // by an exception, or with the program
    function,
    function_end,
  };
  Kind kind = Kind::open;
  unsigned line = 0;
  const std::string* file = nullptr;
  std::string object = ""; // of a lock: its name
  bool always = false;     // a loop that only a jump leaves; the label `default`
  bool once = false;       // a loop whose body is executed at least once
};

struct HeldLines {
  std::vector<std::pair<unsigned, unsigned>> ranges; // sorted, with gaps between them
  bool at_end = false;                               // some path leaves the function with the lock
};

// `lock` is the number of a step `lock` or `holder`. Only lines of its file are told.
HeldLines held_lines(const std::vector<FlowStep>& steps, std::size_t lock);

} // namespace reex::impact
