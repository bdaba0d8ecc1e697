// Workflow commands of GitHub Actions, one line each: failures as errors and findings as warnings, at their
// source lines, so that GitHub shows them beside the code.
#pragma once

#include <string>

#include "report/document/run_report.h"

namespace reex {

std::string github_annotations(const RunReport& report);

} // namespace reex
