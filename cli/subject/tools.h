// The programs and libraries beside reex that it uses, or that build its tests.
#pragma once

#include "cli/subject/check.h"

namespace reex {

Checks check_tools();

} // namespace reex
