// An execution as text: one column for each thread, rows in order of execution, a row with the reason for
// each switch, and a '*' at changed lines. If the columns do not fit, there is one column for all threads,
// with the thread's name at the start of a line.
//
// Callers: the reports. The function is pure, except that `sources` reads files.
//
// Invariants: each row contains the text of one thread only.
//
// Cost: proportional to the trace.
#pragma once

#include <string>
#include <vector>

#include "reex/run/result.h"
#include "report/style.h"
#include "report/text/source_lines.h"

namespace reex {

struct TraceView {
  Style style;
  std::size_t width = 80;
  bool all = false; // leave out nothing
  // The text of a last row, in the column of the first thread of `where`: "deadlock", "assertion"; "": no
  // row.
  std::string ending;
  std::vector<std::size_t> needed = {}; // the steps after the switches that the failure needs
};

// The lines have no line feeds.
std::vector<std::string> trace_lines(const Schedule& schedule, const std::vector<ThreadPosition>& where,
                                     SourceLines& sources, const TraceView& view);

} // namespace reex
