// Makes the text of --help from the tables of verbs and options.
#pragma once

#include <string>

#include "cli/options/option_table.h"

namespace reex {

// `general`: the user named no verb, so the text shows all verbs.
std::string help_text(Verb verb, bool general);

} // namespace reex
