// Where an audited execution parts from the schedules that were executed before it (search/audit.h): the last
// choice of its plan. Called on the running fiber, at each choice that the search has made.
#pragma once

#include "reex/search/search.h"

namespace reex {

void note_parting(const Candidates& candidates, unsigned rank);

} // namespace reex
