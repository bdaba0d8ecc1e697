// Lines that a commit moves within a function: what stands between the old place and the new one is executed
// before or behind them now. That matters of lines that call something, or write a field: they start a
// thread, publish an object or give it back.
//
// Callers: follow(). Pure.
//
// Cost: the changed lines times the removed ones of a file, and the facts of each that was moved.
#pragma once

#include <string>
#include <vector>

#include "impact/facts/facts.h"
#include "impact/sources/changed_lines.h"

namespace reex::impact {

struct MovedLine {
  std::string file; // of the new side
  unsigned line = 0;
  unsigned first = 0; // the lines between
  unsigned last = 0;
};

std::vector<MovedLine> moved_lines(const std::vector<FileLines>& changes, const Program& now,
                                   const Program& before);

} // namespace reex::impact
