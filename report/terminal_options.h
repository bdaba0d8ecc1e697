// How the terminal reports look; the command line decides.
#pragma once

#include <cstddef>
#include <string>

#include "report/style.h"

namespace reex {

struct TerminalOptions {
  Style style;
  std::size_t width = 80;
  bool verbose = false;
  bool quiet = false;           // failures, and one line per test
  std::string program = "reex"; // as the user called it: the replay command must be ready to paste
  std::string folder;           // paths inside it are shown relative to it: the current folder
};

} // namespace reex
