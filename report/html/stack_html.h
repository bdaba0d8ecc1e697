// Stacks of threads: where they stand, the sides of a finding, and the stack of a step.
#pragma once

#include <string>
#include <vector>

#include "report/document/run_report.h"

namespace reex {

// "T2" in the colour of the thread.
std::string thread_tag(int thread);

// The frames as a list. Those of libraries are fainter.
std::string frames_html(const RunReport& report, const std::vector<Frame>& stack);

// A card for each position: state, the user's frames with their source lines, the whole stack folded.
std::string positions_html(const RunReport& report, const std::vector<ThreadPosition>& where);

} // namespace reex
