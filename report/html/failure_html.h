// A failure and a finding as parts of the page.
#pragma once

#include <string>

#include "report/document/run_report.h"

namespace reex {

// `id` is the anchor of the failure, and begins all ids in it.
std::string failure_html(const RunReport& report, const TestRun& run, const Failure& failure,
                         const std::string& id);

std::string finding_html(const RunReport& report, const Finding& finding);

} // namespace reex
