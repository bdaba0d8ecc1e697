// The text of a stack for the terminal: the user's frames with place, function and source line. Changed lines
// have a '*'.
#pragma once

#include <string>
#include <vector>

#include "reex/symbols/frame.h"
#include "report/terminal_options.h"
#include "report/text/source_lines.h"

namespace reex {

// It contains frames of libraries only with -v, or if there are no others. Without -v, it has the innermost
// frames, and the innermost one of the change. Each line ends with a line feed.
std::string stack_text(const std::vector<Frame>& stack, SourceLines& sources, const TerminalOptions& options);

} // namespace reex
