// The log of choices (--schedule-log): a line of JSON for each execution. The worker, between its fibers.
#pragma once

#include "reex/search/search.h"

namespace reex {

void open_log(int descriptor);
void log_choice(const Candidates& candidates, unsigned rank);
void log_end();
void drop_log(); // the execution was thrown away

} // namespace reex
