// Jumps that a commit adds or takes away (`return;`, `break;`, `continue;`, `goto`, `throw`): what is behind
// them runs or not because of that, although no condition has changed. A jump that is only written anew, as a
// `return` of another value, is none: the same hunk has as many on the other side.
//
// Callers: follow(). Pure.
//
// Cost: the lines of the hunks.
#pragma once

#include <string>
#include <vector>

#include "impact/facts/facts.h"
#include "impact/sources/changed_lines.h"

namespace reex::impact {

struct ChangedJump {
  bool old = false; // the side of `file`
  std::string file;
  unsigned line = 0;
  unsigned last = 0; // of the lines that it decides about
};

std::vector<ChangedJump> changed_jumps(const std::vector<FileLines>& changes, const Program& now,
                                       const Program& before);

} // namespace reex::impact
