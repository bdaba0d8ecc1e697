// Members that a commit adds or takes away, and that templates call by their name alone: a member of a
// derived class that hides the one of its base, or that of a specialization, which stands in for the one of
// the template.
//
// Callers: follow(). Pure.
//
// Cost: the functions of the changed files.
#pragma once

#include <string>
#include <vector>

#include "impact/facts/facts.h"
#include "impact/sources/changed_lines.h"

namespace reex::impact {

struct HidingFunction {
  bool old = false; // the side of `file`: it is gone
  std::string file;
  unsigned line = 0;
  std::string name; // unqualified
};

std::vector<HidingFunction> hiding_functions(const std::vector<FileLines>& changes, const Program& now,
                                             const Program& before);

} // namespace reex::impact
