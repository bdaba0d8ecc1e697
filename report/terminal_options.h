// The look of terminal reports. The command line sets it.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "report/style.h"

namespace reex {

struct TerminalOptions {
  Style style;
  std::size_t width = 80;
  bool verbose = false;
  bool quiet = false;           // only failures and one line for each test
  std::string program = "reex"; // as the user called it, so that the replay command can be pasted
  std::string folder;           // the current folder; paths inside it are shown relative to it
  // What the environment of the test has beyond the user's, "NAME=value": a replay needs it too.
  std::vector<std::string> environment = {};
};

// What the texts of earlier tests have told: gaps, notes and the lines of races, which many tests of a
// program have in common.
using ToldLines = std::set<std::string>;

} // namespace reex
