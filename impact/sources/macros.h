// The uses of changed macros, found in the text: the compiler sees no macros any more.
//
// Cost: searches the files for the names of the changed macros.
//
// Errors: none.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "impact/sources/chain.h"
#include "impact/sources/changed_lines.h"

namespace reex::impact {

struct MacroUses {
  std::map<std::string, Chain> names; // the changed macros; the first step of a use of each, and what follows
  ChainedLines uses;
};

// A macro is changed if a line of its definition is, on either side, or if it is defined with a changed one.
// Where a changed macro decides which lines the compiler sees (`#if`), these lines use it, and the lines
// before and behind them, because code may be missing there now. `text` returns null for a file that cannot
// be read.
MacroUses uses_of_macros(const std::vector<FileLines>& changes, const std::set<std::string>& files,
                         const std::function<const std::string*(const std::string&)>& text);

} // namespace reex::impact
