// Follows a schedule in memory, in the script of the test (order/script.h), with the search as in an
// execution: it makes choices, leaves alternatives in the frontier, and is cut short where all that can
// follow is explored elsewhere. Most schedules of a reduced search are cut short, so most need not be
// executed.
//
// Callers: the controller, between executions, with a schedule of Search::next.
//
// Invariants: what is followed is what an execution would do. States, keys and choices are computed by the
// same code (histories.h, dependence.h, the search); the script is written by executions, and each later
// execution is compared with it. Where the script is dark or says nothing yet, and where an execution would
// end, the schedule is executed. So whatever a run reports, an execution has shown.
//
// Cost: some microseconds for a schedule of some dozen operations, against some dozen for an execution. Where
// few schedules are cut short in memory, few are followed. Where few executions are cut short either, none
// is.
#pragma once

#include <cstdint>

namespace reex {

// Follows the search's schedule; an execution begins at this virtual time, and may have so many operations.
// True: it is cut short, and over for the search. False: it is to be executed.
bool foresee(std::uint64_t start_time, std::uint64_t step_limit);
// The execution has ended, without a result if it was cut short. False: it did not do what was foreseen.
bool foresight_held(bool cut_short);

} // namespace reex
