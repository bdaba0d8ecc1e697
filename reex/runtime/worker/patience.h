// For how long time stands still while threads run, although somebody waits for it (schedule/passing.h).
//
// Natively, a computation of some thousand operations is over long before a sleep of a second is. A loop that
// works until a sleeper says stop never is. The first execution shows which of the two a test has: it is very
// patient. If the threads come to an end, or to a wait, within its patience, then the others are patient too,
// for at least twice as many operations as the first one had. If not, it is thrown away, and no execution of
// this round of the search is patient: time passes as the waits are long. Each phase between times when all
// wait has all of the patience, and guards (schedule/passing.cpp) use none of it.
//
// All executions of a round that can follow a prefix of another have the same patience in effect: the first
// one is executed alone, and nothing but guards has come to its time in it while others could run, which it
// does whatever the patience is.
#pragma once

#include <cstdint>

namespace reex {

// Of the execution that begins, in slices.
std::uint32_t patience();
// The execution has ended, and counts.
void learn_patience();

} // namespace reex
