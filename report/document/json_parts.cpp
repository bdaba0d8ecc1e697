#include "report/document/json_parts.h"

#include "reex/run/sha256.h"
#include "report/text/bytes_text.h"
#include "report/text/needed_switches.h"
#include "report/text/trace_rows.h"

namespace reex::json {
namespace {

Json frame_json(const Frame& frame) {
  const bool has_line = !frame.file.empty();
  return {{"function", text_or_null(frame.function)},
          {"file", text_or_null(frame.file)},
          {"line", has_line ? Json(frame.line) : Json()},
          {"module", text(frame.module)}};
}

Json position_json(const ThreadPosition& position) {
  const Frame* frame = user_frame(position.stack);
  Json frames = Json::array();
  for (const Frame& one : position.stack) frames.push_back(frame_json(one));
  Json value = {{"thread", position.thread},
                {"file", frame == nullptr ? Json() : text(frame->file)},
                {"line", frame == nullptr ? Json() : Json(frame->line)},
                {"function", frame == nullptr ? Json() : text_or_null(frame->function)},
                {"state", text(position.state)},
                {"frames", frames}};
  if (!position.holders.empty()) value["holders"] = text(position.holders);
  return value;
}

Json operation_json(const TraceStep* step) {
  if (step == nullptr) return {};
  const Frame* frame = shown_frame(step->stack);
  Json value = {{"thread", step->thread},
                {"operation", step->operation},
                {"object", text_or_null(step->object)},
                {"file", frame == nullptr ? Json() : text(frame->file)},
                {"line", frame == nullptr ? Json() : Json(frame->line)},
                {"changed", touches_change(step->stack)}};
  if (step->woken >= 0) value["woken"] = step->woken;
  return value;
}

// The switches that the failure needs.
Json switches_json(const Failure& failure) {
  Json array = Json::array();
  for (const NeededSwitch& one : needed_switches(failure))
    array.push_back({{"step", one.step},
                     {"kind", one.kind},
                     {"reason", to_string(one.reason)},
                     {"thread", one.thread},
                     {"before", operation_json(one.before)},
                     {"left", operation_json(one.left)},
                     {"next", operation_json(one.next)}});
  return array;
}

} // namespace

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(escape_invalid_utf8(text)); }

Json text(const std::string& bytes) { return escape_invalid_utf8(bytes); }

Json lines(const std::vector<std::string>& values) {
  Json array = Json::array();
  for (const std::string& value : values) array.push_back(text(value));
  return array;
}

Json outcome_json(const Outcome& outcome) {
  Json value = {{"stdout", escape_invalid_utf8(cut_bytes(outcome.stdout_bytes, k_output_limit))},
                {"exit", number_or_null(outcome.exit)},
                {"failure", text_or_null(outcome.failure)},
                {"count", outcome.count},
                {"preemptions", outcome.preemptions}};
  if (!outcome.sha256.empty())
    value["stdout_sha256"] = outcome.sha256;
  else if (value["stdout"] != outcome.stdout_bytes)
    value["stdout_sha256"] = sha256_hex(outcome.stdout_bytes);
  if (!outcome.replay.empty()) value["replay"] = text(outcome.replay);
  return value;
}

Json finding_json(const Finding& finding) {
  Json where = Json::array();
  for (const ThreadPosition& side : finding.where) where.push_back(position_json(side));
  Json value = {{"key", finding.key},
                {"kind", finding.kind},
                {"message", text(finding.message)},
                {"object", text_or_null(finding.object)},
                {"schedule", finding.schedule},
                {"reason", text_or_null(finding.reason)},
                {"where", where}};
  if (finding.schedule_in_round != 0) value["schedule_in_round"] = finding.schedule_in_round;
  return value;
}

Json failure_json(const Failure& failure) {
  Json where = Json::array();
  for (const ThreadPosition& position : failure.where) where.push_back(position_json(position));
  for (const ThreadPosition& event : failure.memory) where.push_back(position_json(event));
  Json value = {{"key", failure.key},
                {"kind", failure.kind},
                {"message", text(failure.message)},
                {"schedule", failure.schedule},
                {"preemptions", failure.how.preemptions},
                {"replay", text_or_null(failure.replay)},
                {"where", where},
                {"count", failure.count}};
  if (failure.how.length > failure.how.trace.size()) value["length"] = failure.how.length;
  if (failure.schedule_in_round != 0) value["schedule_in_round"] = failure.schedule_in_round;
  if (failure.how.times_passed != 0) value["times_passed"] = failure.how.times_passed;
  if (failure.reduced) {
    value["reduced"] = {{"switches_before", failure.reduced->switches_before},
                        {"preemptions_before", failure.reduced->preemptions_before},
                        {"switches", failure.reduced->switches},
                        {"executions", failure.reduced->executions},
                        {"complete", failure.reduced->complete}};
    value["switches"] = switches_json(failure);
  }
  if (failure.base)
    value["base"] = {{"verdict", to_string(failure.base->verdict)},
                     {"binary", text(failure.base->binary)},
                     {"message", text_or_null(failure.base->message)}};
  return value;
}

Json control_json(const Control& control) {
  Json value = {{"threads", control.threads},
                {"scheduling_points", control.scheduling_points},
                {"isolation", control.isolation}};
  if (!control.isolation_reason.empty()) value["isolation_reason"] = text(control.isolation_reason);
  Json modules = Json::array();
  for (const UninstrumentedModule& module : control.uninstrumented)
    modules.push_back({{"module", text(module.path)}, {"operations", module.operations}});
  value["uninstrumented"] = modules;
  value["counted_executions"] = control.counted_executions;
  value["system_operations"] = control.operations_of_system;
  return value;
}

Json left_json(const Left& left) {
  return {{"bound", number_or_null(left.bound)},
          {"executed", left.executed},
          {"schedules", number_or_null(left.schedules)},
          {"seconds", number_or_null(left.seconds)}};
}

Json access_json(const PromotedAccess& access) {
  return {{"module", text(access.module)}, {"offset", access.offset}, {"location", text(access.location)}};
}

Json gap_json(const Gap& gap) {
  return {{"kind", gap.kind},
          {"detail", text(gap.detail)},
          {"remedy", text_or_null(gap.remedy)},
          {"effect", to_string(gap.effect)}};
}

} // namespace reex::json
