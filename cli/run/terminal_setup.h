// What the terminal at hand allows.
#pragma once

#include <cstddef>
#include <string>

#include "cli/options/options.h"
#include "report/progress.h"
#include "report/terminal_options.h"

namespace reex {

// `program`: as the user called reex.
TerminalOptions terminal_options(const Options& options, const std::string& program);

// Progress on standard error; silent with -q.
ProgressPrinter progress_printer(const Options& options);

// Columns of the terminal behind a descriptor; 80 where there is none.
std::size_t terminal_width(int descriptor);

} // namespace reex
