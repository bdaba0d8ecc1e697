// The report as JUnit XML, for Jenkins, GitLab and others that show test results: one test case for each
// test.
//
// A failure has the kind as its type and the terminal's text as its body. What says neither pass nor failure
// is an error; a test that was not begun, or that had no threads beside others that had, is skipped. Seed,
// bound, heuristic and strategy are properties of the suite, where all versions of the schema permit them.
#pragma once

#include <string>

#include "report/document/run_report.h"

namespace reex {

std::string junit_xml(const RunReport& report);

} // namespace reex
