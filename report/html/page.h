// The report as one HTML page: nothing is loaded from elsewhere, and without JavaScript all of it can be
// read.
//
// For each failure it has the interleaving with a column for each thread beside the change's diff, linked
// both ways; a cursor walks the steps by keys. The page's style and script are files of this folder, which
// the build embeds. Everything that comes from the test is escaped (html_text.h).
#pragma once

#include <string>

#include "report/document/run_report.h"

namespace reex {

std::string html_page(const RunReport& report);

} // namespace reex
