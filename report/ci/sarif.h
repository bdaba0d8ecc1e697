// The report as SARIF 2.1.0, for code scanning: a result for each failure and each finding.
//
// The kind is the rule. A failure has a code flow: a thread flow for each thread, with the steps in the order
// of the execution. Its key is the partial fingerprint. Paths inside the repository are relative to SRCROOT.
// Readers show at most a thousand steps; of longer executions only those around switches are written.
#pragma once

#include <string>

#include "report/document/run_report.h"

namespace reex {

std::string sarif_json(const RunReport& report);

} // namespace reex
