// The users of what a change declares anew. A changed constant, enumerator, alias, base class, default member
// initializer, default argument or virtual function has an effect on lines that stayed as they are, in other
// files too. These lines count as changed lines, and the four analyses of CAPP go on from them.
//
// A declaration has changed if the change touches it and its text is no longer what it was (facts.h: Shape).
// What is declared with it (a constant that is computed from another one) has changed as well. Where both
// sides of a file were parsed, a line also counts if a name on it means another declaration than before.
//
// Callers: analyse(). The functions are pure.
//
// Cost: the declarations of the changed files, and all uses.
//
// Errors: none. What the facts do not contain is missing in the result.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "impact/facts/facts.h"
#include "impact/sources/chain.h"
#include "impact/sources/changed_lines.h"

namespace reex::impact {

struct Users {
  ChainedLines lines; // of the new side
  // Lines that mean the same, and that another type stands behind: the declarations of variables that have
  // another one, and calls of the library's templates for a class of which they need something that changed.
  // No code points of CAPP; what follows from them is of the change (follow.h).
  ChainedLines typed;
  std::set<std::string> names; // of what changed: units that are not parsed yet may use it
  // Of these, the aliases and the classes with other bases: what a line means then depends on the old side,
  // too.
  std::set<std::string> aliases;
};

// `macros` are the uses of changed macros (macros.h): what is declared with one has changed.
Users users_of(const std::vector<FileLines>& changes, const Program& now, const Program& before,
               const ChainedLines& macros);

} // namespace reex::impact
