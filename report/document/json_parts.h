// The parts of the JSON of a run (docs/json.md), which the whole document and the log of events share.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "reex/run/result.h"

namespace reex::json {

using Json = nlohmann::ordered_json;

// Text of the test may have any bytes; those that are no UTF-8 are written as \xNN.
Json text(const std::string& bytes);
Json text_or_null(const std::string& text);
Json lines(const std::vector<std::string>& values);

template <typename T>
Json number_or_null(const std::optional<T>& number) {
  return number ? Json(*number) : Json();
}

Json outcome_json(const Outcome& outcome);
Json finding_json(const Finding& finding);
Json failure_json(const Failure& failure);
Json control_json(const Control& control);
Json left_json(const Left& left);
Json access_json(const PromotedAccess& access);
Json gap_json(const Gap& gap);

} // namespace reex::json
