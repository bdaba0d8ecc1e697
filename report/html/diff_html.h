// The change's diff beside an execution: each line that the execution passed has the threads and links to the
// steps.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "report/document/diff_hunks.h"
#include "report/document/run_report.h"

namespace reex {

struct DiffPanel {
  std::string html; // "" without a change
  // The ids of the lines that are shown, by file and line, for links from the steps.
  std::map<std::pair<std::string, unsigned>, std::string> ids;
};

// The report has a change. `id` is the failure's own and begins all ids.
DiffPanel diff_panel(const RunReport& report, const Passage& passage, const std::string& id);

} // namespace reex
