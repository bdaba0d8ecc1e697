// Options for the terminal that reex runs in.
#pragma once

#include <cstddef>
#include <string>

#include "cli/options/options.h"
#include "report/progress.h"
#include "report/terminal_options.h"

namespace reex {

// `program` is the name with which the user called reex.
TerminalOptions terminal_options(const Options& options, const std::string& program);

// Prints progress on standard error. With -q it prints nothing, unless somebody waits at a terminal.
ProgressPrinter progress_printer(const Options& options, bool somebody_waits = false);

// The number of columns of the terminal of a descriptor; 80 if it is not a terminal.
std::size_t terminal_width(int descriptor);

} // namespace reex
