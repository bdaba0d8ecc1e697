// Detailed executions that follow a schedule by the threads' own progress (reex/shared/guide.h), and write
// down where their choices stood.
#pragma once

#include "reex/runtime/core/fiber.h"
#include "reex/search/search.h"

namespace reex {

void begin_guide();
void count_for_guide(const Fiber& fiber); // it executes a visible operation
// Before the search chooses: the guide's wish is made its plan.
void guide(const Candidates& candidates);
// After it: a choice of nonzero rank is written down.
void note_turn(const Candidates& candidates, unsigned rank);

} // namespace reex
