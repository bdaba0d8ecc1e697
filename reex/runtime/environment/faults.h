// Faults that the runtime brings about and answers itself, unseen by the test: readings of the time stamp
// counter (time_stamp_counter.h), and code that is entered (order/dormant_code.h). All others are the test's.
//
// Callers: take_faults, once, when the library is loaded; leave_faults, in a process that the test forked;
// the others, a fiber.
//
// Invariants: a handler may be interrupted by such a fault, too, so the kernel never blocks the signal.
#pragma once

#include <csignal>

namespace reex {

void take_faults();
void leave_faults(); // for good: nothing faults for the runtime any more

// The test's own action of a fault, or the runtime's. It does not see the faults of this file.
int set_fault_action(int number, const struct sigaction& action);
struct sigaction fault_action(int number);

} // namespace reex
