// What follows from a change, beyond the code points of CAPP: lines that stayed as they are, and that are
// executed or not, at another time or with another object than before. They have no part in the order of the
// exploration. A data race on one of them is of the change (docs/semantics.md, "What follows").
//
// A line follows from one that changed, or that uses what changed,
// - if a condition on that line decides whether it is executed, or whether code before it has waited,
// - if it uses a local variable that gets its value there,
// - if it calls a function of which a line with a `return` follows,
// - if it handles an exception that is thrown there, or is behind the handler,
// - if it is behind a wait for others that changed, in the same function or in one that calls it, or in the
//   region of a lock whose taking follows, also where a function takes it for who calls it,
// - if it is in the region of a lock that is a member of an object that was shared (own_locks.h),
// - if it is behind a call of another function than before through a pointer,
// - if it is in a function that is started as a thread there, or handed to another function,
// - if it is behind a jump that comes or goes (changed_jumps.h), or is passed by a line that moves
// (moved_lines.h),
// - if a template calls there by its name a member that comes or goes (hiding_functions.h),
// - if it reads a field that is written there, or by a function that is called there with another argument.
// What follows from removed lines is found on the old side, and then looked up on the new one.
//
// Callers: analyse(). Pure but for the index, which is completed.
//
// Cost: once the facts of both sides (program_index.h); then the lines that follow, and what they lead to.
//
// Errors: none. A field leads on only once, so that not all of a program follows from a few lines; but what
// an object is made from leads to its members.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "impact/call_regions.h"
#include "impact/facts/facts.h"
#include "impact/sources/chain.h"
#include "impact/sources/changed_lines.h"

namespace reex::impact {

struct Followed {
  ChainedLines lines;          // of the new side
  std::set<std::string> names; // of functions that return something else, order what is behind them, or are
                               // started and not known
};

// `from` are the lines of the new side that changed or use what changed.
Followed follow(const std::vector<FileLines>& changes, const Program& now, const Program& before,
                const LockingFunctions& locking, LineIndexes& lines, const ChainedLines& from);

} // namespace reex::impact
