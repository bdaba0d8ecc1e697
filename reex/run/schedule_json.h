// The JSON of a schedule, for files that only reex reads. A schedule of millions of steps must fit into
// memory as JSON, too: its decisions and steps are numbers in a text, and what many of them share is listed
// once.
//
// Errors: from_json throws std::invalid_argument or nlohmann::json::exception if the value is damaged.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "reex/run/result.h"

namespace reex {

void to_json(nlohmann::json& value, const Schedule& how);
void from_json(const nlohmann::json& value, Schedule& how);

} // namespace reex
