#include "report/json.h"

#include <nlohmann/json.hpp>

#include "reex/run/result_json.h"
#include "reex/run/verdict.h"
#include "report/document/json_parts.h"

namespace reex {
namespace {

using namespace json;

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

Json imunit_json(const std::optional<ImunitResult>& result) {
  if (!result) return {};
  return {{"schedule", text_or_null(result->schedule)},
          {"text", text(result->text)},
          {"expects_infeasible", result->expects_infeasible},
          {"checks", result->checks},
          {"verdict", to_string(result->verdict)},
          {"proved", result->proved},
          {"satisfied", result->satisfied},
          {"stuck", result->stuck},
          {"stuck_example", text_or_null(result->stuck_example)},
          {"vacuous", lines(result->vacuous)}};
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
  Json gap_list = Json::array();
  for (const Gap& gap : gaps) gap_list.push_back(gap_json(gap));
  const bool claims = effect_of(gaps) == GapEffect::told;
  Json members = {
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
      {"gaps", gap_list},
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
      {"followed", run.followed},
      {"audited", run.audited},
      {"refuted", refutation_json(run.refuted)},
      {"inconclusive",
       {{"step_limit", run.inconclusive.step_limit},
        {"watchdog", run.inconclusive.watchdog},
        {"livelock", run.inconclusive.livelock},
        {"loops_cut", run.inconclusive.loops_cut},
        {"memory_limit", run.inconclusive.memory_limit},
        {"example", text_or_null(run.inconclusive.example)}}},
      {"imunit", imunit_json(run.imunit)},
      {"shard", shard_json(run)},
      {"notes", lines(run.notes)},
      {"base", text_or_null(context.base)}};
  if (run.schedules_in_round) members["schedules_in_round"] = *run.schedules_in_round;
  return members;
}

} // namespace

std::string run_json(const std::vector<TestRun>& runs, const JsonContext& context) {
  Json document = {{"format", 1}, {"reex", context.version}};
  if (runs.size() == 1) document = run_members(runs.front(), context);
  if (context.several_tests || runs.size() != 1) {
    Json members = Json::array();
    for (const TestRun& run : runs) members.push_back(run_members(run, context));
    document["runs"] = members;
  }
  if (!context.skipped.empty()) document["skipped"] = lines(context.skipped);
  if (!context.notes.empty()) document["run_notes"] = lines(context.notes);
  // The output of a failed test may contain any bytes; invalid UTF-8 is replaced.
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace reex
