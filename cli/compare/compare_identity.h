// What must be the same so that the runs of an earlier comparison count for this one: reex, the test, the
// change, the options and limits of the runs. How many seeds, and who takes part, may differ.
#pragma once

#include <string>

#include "cli/compare/compare_subject.h"

namespace reex {

std::string compare_identity(const CompareSubject& subject);

} // namespace reex
