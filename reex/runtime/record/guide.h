// Makes a detailed execution follow a schedule by the threads' own progress (reex/shared/guide.h), and
// records where its choices were made.
//
// Callers: begin_guide, the controller; the others, the running fiber in a detailed execution.
//
// Cost: a few instructions at each choice and visible operation.
#pragma once

#include "reex/runtime/core/fiber.h"
#include "reex/search/search.h"

namespace reex {

void begin_guide();
void count_for_guide(const Fiber& fiber); // the fiber executes a visible operation
// Before the search chooses: adds the guide's choice to the plan, if there is one here.
void guide(const Candidates& candidates);
// After the search has chosen: records a choice of nonzero rank.
void note_turn(const Candidates& candidates, unsigned rank);

} // namespace reex
