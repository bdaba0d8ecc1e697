// Finds the places of a recorded schedule in another build of the test. It aligns the operations of each
// thread in a new trace with the thread's recorded operations: operations can correspond if they are of the
// same kind, and they correspond better if they have the same object or the same source position.
//
// Callers: the parent process; replay() calls it. The function is pure.
//
// Invariants: each decision that the file gives by a thread's progress becomes one turn, in the same order.
// The correspondence is monotonic: it never exchanges two operations of one thread.
//
// Cost: for each thread, time and memory proportional to the product of the two numbers of operations. Above
// k_most_cells, an operation corresponds to the one with the same ordinal.
//
// Source: the alignment is a weighted longest common subsequence, computed by dynamic programming.
#pragma once

#include "reex/replay/trials.h"

namespace reex {

struct Alignment {
  Turns turns; // the recorded turns, given by the threads' progress in `seen`
  // The number of turns for which neither the operation before nor the one behind has a counterpart. Turns
  // before the first operation of a thread do not count.
  unsigned lost = 0;
};

Alignment align_turns(const ScheduleFile& file, const std::vector<TraceStep>& seen);

} // namespace reex
