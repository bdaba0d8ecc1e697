// The plain accesses that were visible operations in an execution, as a schedule file names them.
#pragma once

#include <vector>

#include "reex/process/session.h"
#include "reex/schedules/schedule_file.h"

namespace reex {

// The first `count`, those of when the execution ran: its choice points depend on them.
std::vector<PromotedAccess> promoted_accesses(const Promoted& set, std::uint32_t count, Session& session);

} // namespace reex
