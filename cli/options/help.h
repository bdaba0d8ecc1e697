// The text of --help, made from the tables.
#pragma once

#include <string>

#include "cli/options/option_table.h"

namespace reex {

// `general`: no verb was named, so all of them are shown.
std::string help_text(Verb verb, bool general);

} // namespace reex
