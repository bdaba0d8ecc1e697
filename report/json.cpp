#include "report/json.h"

#include <nlohmann/json.hpp>

#include "reex/run/result_json.h"
#include "reex/run/sha256.h"
#include "reex/run/verdict.h"
#include "report/bytes_text.h"
#include "report/needed_switches.h"
#include "report/trace_rows.h"

namespace reex {
namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(escape_invalid_utf8(text)); }

Json text(const std::string& bytes) { return escape_invalid_utf8(bytes); }

template <typename T>
Json number_or_null(const std::optional<T>& number) {
  return number ? Json(*number) : Json();
}

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

Json finding_json(const Finding& finding) {
  Json where = Json::array();
  for (const ThreadPosition& side : finding.where) where.push_back(position_json(side));
  return {{"key", finding.key},
          {"kind", finding.kind},
          {"message", text(finding.message)},
          {"object", text_or_null(finding.object)},
          {"schedule", finding.schedule},
          {"reason", text_or_null(finding.reason)},
          {"where", where}};
}

Json operation_json(const TraceStep* step) {
  if (step == nullptr) return {};
  const Frame* frame = user_frame(step->stack);
  return {{"thread", step->thread},
          {"operation", step->operation},
          {"object", text_or_null(step->object)},
          {"file", frame == nullptr ? Json() : text(frame->file)},
          {"line", frame == nullptr ? Json() : Json(frame->line)},
          {"changed", touches_change(step->stack)}};
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

Json gaps_json(const std::vector<Gap>& gaps) {
  Json array = Json::array();
  for (const Gap& gap : gaps)
    array.push_back({{"kind", gap.kind},
                     {"detail", text(gap.detail)},
                     {"remedy", text_or_null(gap.remedy)},
                     {"effect", to_string(gap.effect)}});
  return array;
}

// What `reex merge` needs and no other member contains.
Json shard_json(const TestRun& run) {
  if (!run.shard) return {};
  Json identity = Json::object();
  for (const auto& [name, value] : run.identity) identity[name] = text(value);
  return {{"index", run.shard->index},
          {"count", run.shard->count},
          {"run", identity},
          {"sampled", run.sampled},
          {"failures", Json(nlohmann::json(run.failures))},
          {"findings", Json(nlohmann::json(run.findings))}};
}

Json refutation_json(const std::optional<Refutation>& refuted) {
  if (!refuted) return {};
  return {{"step", refuted->step},
          {"thread", refuted->thread},
          {"operation", text_or_null(refuted->operation)},
          {"location", text_or_null(refuted->location)}};
}

Json run_members(const TestRun& run, const JsonContext& context) {
  Json outcomes = Json::array();
  for (const Outcome& outcome : run.outcomes) outcomes.push_back(outcome_json(outcome));
  Json failures = Json::array();
  for (const Failure& failure : run.failures) failures.push_back(failure_json(failure));
  Json findings = Json::array();
  for (const Finding& finding : run.findings) findings.push_back(finding_json(finding));
  Json suppressed = Json::array();
  for (const Suppressed& one : run.suppressed)
    suppressed.push_back({{"kind", one.kind},
                          {"key", one.key},
                          {"message", text(one.message)},
                          {"schedule", one.schedule},
                          {"reason", text(one.reason)},
                          {"by", text(one.by)}});
  Json estimate = Json::array();
  for (const Left& left : run.left) estimate.push_back(left_json(left));
  Json promoted = Json::array();
  for (const PromotedAccess& access : run.promoted_accesses) promoted.push_back(access_json(access));
  const std::vector<Gap> gaps = all_gaps(run);
  const bool claims = effect_of(gaps) == GapEffect::told;
  return {
      {"format", 1},
      {"reex", context.version},
      {"verdict", to_string(verdict_of(run))},
      {"test", {{"binary", text(run.binary)}, {"name", text(run.name)}, {"arguments", lines(run.arguments)}}},
      {"strategy", run.strategy},
      {"depth", number_or_null(run.depth)},
      {"interesting", text_or_null(run.interesting)},
      {"bound", number_or_null(run.bound)},
      {"heuristic", text_or_null(run.heuristic)},
      {"seed", run.seed},
      {"keep_going", run.keep_going},
      {"schedules", run.schedules},
      {"bound_completed", claims ? number_or_null(run.bound_completed) : Json()},
      {"exhausted", claims ? Json(run.exhausted) : Json()},
      {"gaps", gaps_json(gaps)},
      {"estimate", estimate},
      {"executions_per_second", run.executions_per_second},
      {"wall_seconds", run.wall_seconds},
      {"control", control_json(run.control)},
      {"outcomes", outcomes},
      {"failures", failures},
      {"findings", findings},
      {"suppressed", suppressed},
      {"rounds", run.rounds},
      {"promoted", run.promoted},
      {"promoted_accesses", promoted},
      {"ended", to_string(run.ended)},
      {"error", text_or_null(run.error.text)},
      {"error_kind", text_or_null(run.error ? to_string(run.error.kind) : "")},
      {"state", text_or_null(run.state_file)},
      {"pruned", run.pruned},
      {"audited", run.audited},
      {"refuted", refutation_json(run.refuted)},
      {"inconclusive",
       {{"step_limit", run.inconclusive.step_limit},
        {"watchdog", run.inconclusive.watchdog},
        {"livelock", run.inconclusive.livelock},
        {"loops_cut", run.inconclusive.loops_cut},
        {"memory_limit", run.inconclusive.memory_limit},
        {"example", text_or_null(run.inconclusive.example)}}},
      {"shard", shard_json(run)},
      {"notes", lines(run.notes)},
      {"base", text_or_null(context.base)}};
}

} // namespace

std::string run_json(const std::vector<TestRun>& runs, const JsonContext& context) {
  Json document = {{"format", 1}, {"reex", context.version}};
  if (runs.size() == 1) document = run_members(runs.front(), context);
  if (context.several_tests || runs.size() > 1) {
    Json members = Json::array();
    for (const TestRun& run : runs) members.push_back(run_members(run, context));
    document["runs"] = members;
  }
  if (!context.notes.empty()) document["run_notes"] = lines(context.notes);
  // The output of a failed test may contain any bytes; invalid UTF-8 is replaced.
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace reex
