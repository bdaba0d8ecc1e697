// The log of choices (--schedule-log): one line of JSON for each execution. log_choice is called on the
// running fiber, open_log in the zygote, the others by the controller or the zygote.
#pragma once

#include "reex/search/search.h"

namespace reex {

void open_log(int descriptor);
void log_choice(const Candidates& candidates, unsigned rank);
void log_end();
void drop_log(); // the execution was thrown away or does not count

} // namespace reex
