// The four analyses of CAPP on plain facts: from changed lines to impacted lines, methods, classes and
// fields.
//
// Callers: collect_impact(), in the parent process. The functions are pure; several threads may call them.
//
// Cost: proportional to the changes times the facts of the files concerned. Nothing is parsed.
//
// Errors: none. What the facts do not contain is missing in the result.
//
// Source: CAPP (dissertation, section 4.2.1). analysis.cpp numbers the analyses as that section does.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "impact/facts/facts.h"
#include "impact/sources/changed_lines.h"
#include "impact/users.h"

namespace reex::impact {

struct ImpactedSets {
  ChainedLines lines;
  ChainedLines statement_lines;                                 // further lines of the same statements
  std::map<std::pair<std::string, Function>, Chain> methods;    // (file, definition) -> why
  std::map<std::string, std::pair<std::string, Chain>> classes; // name -> (file, why)
  std::map<Field, std::pair<std::string, Chain>> fields;        // field -> (file, why)
  // The names of functions that are called directly and whose definition is not known yet.
  std::set<std::string> missing_callees;
  ChainedLines followed;         // lines on which a race is of the change (follow.h)
  std::set<std::string> aliases; // names that mean something else now (users.h)
};

// `now` and `before` hold the facts of both sides, as far as they were parsed.
// `macros` are the uses of changed macros; `code` gives the lines of a file of the new side (code_of_lines).
ImpactedSets analyse(const std::vector<FileLines>& changes, const Program& now, const Program& before,
                     const ChainedLines& macros,
                     const std::function<const std::vector<std::string>&(const std::string& file)>& code);

// The innermost function or class that contains a line; null if there is none. With `named_only`, lambdas do
// not count.
const Function* function_at(const FileFacts& facts, unsigned line, bool named_only);
std::string name_of(const Function& function); // unqualified
bool is_constructor(const Function& function);
const Class* class_at(const FileFacts& facts, unsigned line);

} // namespace reex::impact
