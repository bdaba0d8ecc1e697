// The promoted accesses of an execution, in the form of a schedule file.
#pragma once

#include <vector>

#include "reex/process/session.h"
#include "reex/schedules/schedule_file.h"

namespace reex {

// The first `count` accesses of the set, which were promoted when the execution ran. Its choice points depend
// on them.
std::vector<PromotedAccess> promoted_accesses(const Promoted& set, std::uint32_t count, Session& session);

} // namespace reex
