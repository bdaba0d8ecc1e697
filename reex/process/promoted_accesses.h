// The promoted accesses of an execution, in the form of a schedule file.
#pragma once

#include <vector>

#include "reex/process/session.h"
#include "reex/schedules/schedule_file.h"

namespace reex {

// `pcs`: return addresses of the accesses that were promoted when the execution ran. Its choice points depend
// on them.
std::vector<PromotedAccess> promoted_accesses(const std::vector<std::uint64_t>& pcs, Session& session);

// Whether malloc could give freed addresses again in such an execution, as with --reuse.
bool addresses_come_again(const std::vector<std::uint64_t>& pcs);
// Whether libraries without hooks were as if somebody were in them (runtime/order/dormant_code.h).
bool code_is_entered(const std::vector<std::uint64_t>& pcs);

} // namespace reex
