// The interleaving of a failure: a column for each thread, a row for each step in order of execution, a row
// with the reason for each switch.
#pragma once

#include <string>

#include "report/document/interleaving.h"
#include "report/document/run_report.h"
#include "report/html/diff_html.h"

namespace reex {

// `id` is the failure's own and begins all ids: step 4 of "f0" is "f0-s4".
std::string trace_html(const RunReport& report, const Interleaving& interleaving, const std::string& id,
                       const DiffPanel& diff);

// The source lines around the steps, as JSON for the step cursor: {"src/queue.h": {"41": "m_closed =
// true;"}}.
std::string sources_json(const RunReport& report, const Failure& failure);

} // namespace reex
