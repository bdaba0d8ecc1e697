#include "reex/run/result_json.h"

namespace reex {
namespace {

template <typename T>
nlohmann::json value_or_null(const std::optional<T>& part) {
  return part ? nlohmann::json(*part) : nlohmann::json();
}

template <typename T>
void read_if_there(const nlohmann::json& value, std::optional<T>& part) {
  if (!value.is_null()) part = value.get<T>();
}

} // namespace

void to_json(nlohmann::json& value, const Failure& failure) {
  value = {{"key", failure.key},
           {"kind", failure.kind},
           {"message", failure.message},
           {"schedule", failure.schedule},
           {"count", failure.count},
           {"order", failure.order},
           {"how", failure.how},
           {"reduced", value_or_null(failure.reduced)},
           {"base", value_or_null(failure.base)},
           {"replay", failure.replay},
           {"where", failure.where},
           {"memory", failure.memory},
           {"stdout_text", failure.stdout_text},
           {"stderr_text", failure.stderr_text},
           {"schedule_in_round", failure.schedule_in_round}};
}

void from_json(const nlohmann::json& value, Failure& failure) {
  value.at("key").get_to(failure.key);
  value.at("kind").get_to(failure.kind);
  value.at("message").get_to(failure.message);
  value.at("schedule").get_to(failure.schedule);
  value.at("count").get_to(failure.count);
  value.at("order").get_to(failure.order);
  value.at("how").get_to(failure.how);
  read_if_there(value.at("reduced"), failure.reduced);
  read_if_there(value.at("base"), failure.base);
  value.at("replay").get_to(failure.replay);
  value.at("where").get_to(failure.where);
  value.at("memory").get_to(failure.memory);
  value.at("stdout_text").get_to(failure.stdout_text);
  value.at("stderr_text").get_to(failure.stderr_text);
  failure.schedule_in_round = value.value("schedule_in_round", std::uint64_t{0});
}

} // namespace reex
