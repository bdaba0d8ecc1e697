// What a shell may offer for the value of an option, from the table of options.
#pragma once

#include <string>
#include <vector>

#include "cli/options/option_table.h"

namespace reex {

// The names that the option takes, as its own error message lists them; none if it takes others too.
std::vector<std::string> choices_of(const OptionRow& row);

// "-k" and "--keep-going", those that there are.
std::vector<std::string> names_of(const OptionRow& row);

} // namespace reex
