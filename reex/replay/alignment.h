// Finds a recorded schedule's places again in a program that was built anew: each thread's operations are
// aligned with its recorded ones, by kind of operation, object and source position.
#pragma once

#include "reex/replay/trials.h"

namespace reex {

struct Alignment {
  Turns turns;       // the recorded ones, told by the threads' progress in `seen`
  unsigned lost = 0; // turns without a counterpart of the operation before them or behind them
};

Alignment align_turns(const ScheduleFile& file, const std::vector<TraceStep>& seen);

} // namespace reex
