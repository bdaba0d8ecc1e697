// How many visible operations the execution that begins may make. A test's own length says how long is too
// long: if the user has set no limit, the first execution may be long, and the others ten times as long as it
// was. If it has not come to its end in half of the budget, it may go on for ever: it is thrown away, and all
// executions have the ordinary limit.
#pragma once

#include <cstdint>

namespace reex {

std::uint64_t step_limit();

} // namespace reex
