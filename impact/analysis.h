// The four analyses of section 4.2.1 on plain facts: from changed lines to impacted lines, methods, classes,
// fields.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "impact/changed_lines.h"
#include "impact/facts.h"

namespace reex::impact {

struct ImpactedSets {
  std::map<std::string, std::map<unsigned, std::string>> lines;       // file -> line -> reason
  std::set<std::pair<std::string, unsigned>> statement_lines;         // further lines of the same statements
  std::map<std::pair<std::string, Function>, std::string> methods;    // (file, definition) -> reason
  std::map<std::string, std::pair<std::string, std::string>> classes; // name -> (file, reason)
  std::map<Field, std::pair<std::string, std::string>> fields;        // field -> (file, reason)
  std::set<std::string>
      missing_callees; // names of functions called directly whose definition is not known yet
};

// `now` and `before` hold the facts of both sides, as far as they were parsed.
ImpactedSets analyse(const std::vector<FileLines>& changes, const Program& now, const Program& before);

// The innermost function or class around a line; null if there is none.
const Function* function_at(const FileFacts& facts, unsigned line, bool named_only);
const Class* class_at(const FileFacts& facts, unsigned line);

} // namespace reex::impact
