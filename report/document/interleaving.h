// The interleaving of a failure as a page draws it: the rows of the short report, and what it leaves out in
// folds. Plain values that need neither the failure nor its sources any more.
//
// Cost: proportional to the trace; of longer traces than the limits, folds have no rows, so that the size is
// bounded.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reex/run/result.h"
#include "report/text/source_lines.h"

namespace reex {

struct InterleavingRow {
  enum class Kind : std::uint8_t { step, context_switch, fold };
  Kind kind = Kind::step;
  TraceStep step;                    // of a switch: its number and its thread
  std::string source;                // of a step: the line of the user's code
  bool with_stack = true;            // false: only the place is shown
  std::string text;                  // of a switch: its reason
  bool needed = false;               // the failure needs the switch; of a step: the switch before it
  bool decisive = false;             // it is a preemption
  std::size_t steps = 0;             // in the fold
  std::vector<InterleavingRow> rows; // of the fold; none if they were too many
};

struct Interleaving {
  std::string kind; // of the failure
  std::size_t threads = 0;
  std::vector<InterleavingRow> rows;
  std::string unrecorded; // "... 2,951,424 steps that were not recorded ..."; "" if all were
  int failing = -1;       // the thread in whose column it ends; -1: not known
};

struct InterleavingLimits {
  std::size_t steps = 3000; // of longer executions, folded steps are counted and not kept
  std::size_t stacks = 600; // above, only the user's frame of a folded step
};

Interleaving interleaving_of(const Failure& failure, SourceLines& sources,
                             const InterleavingLimits& limits = {});

} // namespace reex
