// How many visible operations the execution that begins may make. A test's own length says how long is too
// long: if the user has set no limit, the first execution may be long, and the others ten times as long as it
// was. If it has not come to its end in half of the budget, it may go on for ever: it is thrown away, and all
// executions have the ordinary limit.
//
// Before that, when it is long, a few executions with the ordinary limit have their turn: a test whose
// threads work without an end in the default order may fail at once in another one. If some of these came to
// that limit, the first execution has three quarters of the budget.
#pragma once

#include <cstdint>

#include "reex/shared/ending.h"

namespace reex {

std::uint64_t step_limit();
// A failure that shows at a limit did not show at the lower one of its detailed execution. False: there is
// none.
bool raise_limit(Ending& ending);
// Whether the first execution was thrown away because it was long.
bool has_given_way();
// How many executions the search may make; 0: no limit.
std::uint64_t most_schedules();

} // namespace reex
