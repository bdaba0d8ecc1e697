// Conversions of complete results to JSON and back, for files that only reex reads. The JSON for other
// programs (docs/json.md) is in report/json.h.
#pragma once

#include <nlohmann/json.hpp>

#include "reex/run/result.h"
#include "reex/run/schedule_json.h"

namespace reex {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Frame, function, file, line, column, module, system_header,
                                                changed, helper)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ThreadPosition, thread, state, stack, holders)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Reduced, switches_before, preemptions_before, switches, executions,
                                   complete)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BaseProof, verdict, binary, message)
} // namespace reex

// What findings share is written with each of them; null is an empty schedule.
template <>
struct nlohmann::adl_serializer<std::shared_ptr<const reex::Schedule>> {
  static void to_json(json& value, const std::shared_ptr<const reex::Schedule>& how) {
    value = how == nullptr ? reex::Schedule{} : *how;
  }
  static void from_json(const json& value, std::shared_ptr<const reex::Schedule>& how) {
    how = std::make_shared<const reex::Schedule>(value.get<reex::Schedule>());
  }
};

namespace reex {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Finding, key, kind, message, object, schedule, where, near_misses,
                                   left_out, order, how, replay, reason, schedule_in_round)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Gap, kind, detail, remedy, effect)

void to_json(nlohmann::json& value, const Failure& failure);
void from_json(const nlohmann::json& value, Failure& failure);

} // namespace reex
