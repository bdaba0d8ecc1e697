// The features of the kernel without which reex is slower or sees less. Each is tried out; nothing stays
// changed.
#pragma once

#include "cli/subject/check.h"

namespace reex {

Checks check_kernel_features();

} // namespace reex
