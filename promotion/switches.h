// What a failing execution says about order: at each context switch, what the thread that ran before had done
// must come before what the next thread does. Of an execution whose every switch is kept in this way, the
// order of all operations is kept.
//
// Callers: plan(), in the parent process.
#pragma once

#include <string>
#include <vector>

#include "reex/run/result.h"

namespace reex::promotion {

// An operation of a thread, or where the thread stood when the execution ended.
struct Stop {
  int thread = 0;
  std::vector<Frame> stack; // innermost frame first
  unsigned step = 0;        // ordinal in the trace; its length, for where the thread stood at the end
  bool ended = false;       // the thread has no further operation; the stack is of its last one
};

struct Switch {
  Stop last;            // the last operation of the thread that ran before; `stack` may be empty
  Stop next;            // its next one, which it had not executed
  bool blocked = false; // it could not execute that one
  bool joins = false;   // one of the two joins a thread there
  Stop first;           // what the next thread executes first
};

// The switches that orderings can express, as if nobody joined a thread: a join is an order by itself. What a
// thread was blocked at before it goes on needs none: the thread goes on when it can. `failure` has a trace.
std::vector<Switch> switches_of(const Failure& failure);

// Why orderings cannot express the execution, with the remedy; "" if nothing is known.
std::string inexpressible(const Failure& failure, const std::vector<Decision>& decisions);

} // namespace reex::promotion
