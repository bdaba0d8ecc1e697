// An execution as text: one column per thread while they fit, rows in order of execution, a row for each
// switch with its reason, changed lines marked with '*'. With more threads than columns, one column with the
// thread's name in front.
#pragma once

#include <string>
#include <vector>

#include "reex/run/result.h"
#include "report/source_lines.h"
#include "report/style.h"

namespace reex {

struct TraceView {
  Style style;
  std::size_t width = 80;
  bool all = false; // fold nothing
  std::string
      ending; // a last row in the column of `where`'s first thread: "deadlock", "assertion"; "" for none
  std::vector<std::size_t> needed = {}; // steps before which a switch stands that the failure needs
};

// Lines without line feeds.
std::vector<std::string> trace_lines(const Schedule& schedule, const std::vector<ThreadPosition>& where,
                                     SourceLines& sources, const TraceView& view);

} // namespace reex
