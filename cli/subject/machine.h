// What reex needs of the machine: limits of the shell, addresses, files, processes. They are asked for, as a
// run would ask, and given back; nothing stays behind.
#pragma once

#include <string>

#include "cli/subject/check.h"

namespace reex {

// `folder` is where .reex is kept.
Checks check_machine(const std::string& folder);

} // namespace reex
