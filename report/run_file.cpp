#include "report/run_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "reex/run/result_json.h"

namespace reex {
namespace {

using Json = nlohmann::json;

std::string text_or_empty(const Json& value) { return value.is_null() ? "" : value.get<std::string>(); }

template <typename T>
std::optional<T> optional(const Json& value) {
  return value.is_null() ? std::optional<T>() : value.get<T>();
}

EndReason end_reason(const std::string& name) {
  for (int reason = 0; reason <= static_cast<int>(EndReason::error); ++reason)
    if (name == to_string(static_cast<EndReason>(reason))) return static_cast<EndReason>(reason);
  throw std::invalid_argument("\"ended\" is \"" + name + "\", which this reex does not know");
}

ErrorKind error_kind(const Json& value) {
  if (value.is_null()) return ErrorKind::none;
  const std::string name = value.get<std::string>();
  for (int kind = 1; kind <= static_cast<int>(ErrorKind::internal); ++kind)
    if (name == to_string(static_cast<ErrorKind>(kind))) return static_cast<ErrorKind>(kind);
  throw std::invalid_argument("\"error_kind\" is \"" + name + "\", which this reex does not know");
}

GapEffect gap_effect(const std::string& name) {
  for (const GapEffect effect : {GapEffect::told, GapEffect::claims, GapEffect::verdict})
    if (name == to_string(effect)) return effect;
  throw std::invalid_argument("the effect of a gap is \"" + name + "\", which this reex does not know");
}

Control read_control(const Json& value) {
  Control control;
  value.at("threads").get_to(control.threads);
  value.at("scheduling_points").get_to(control.scheduling_points);
  value.at("isolation").get_to(control.isolation);
  control.isolation_reason = value.value("isolation_reason", "");
  for (const Json& module : value.at("uninstrumented"))
    control.uninstrumented.push_back(
        {module.at("module").get<std::string>(), module.at("operations").get<std::uint64_t>()});
  value.at("system_operations").get_to(control.operations_of_system);
  value.at("counted_executions").get_to(control.counted_executions);
  return control;
}

Outcome read_outcome(const Json& value) {
  Outcome outcome;
  value.at("stdout").get_to(outcome.stdout_bytes);
  outcome.sha256 = value.value("stdout_sha256", "");
  outcome.exit = optional<int>(value.at("exit"));
  outcome.failure = text_or_empty(value.at("failure"));
  value.at("count").get_to(outcome.count);
  value.at("preemptions").get_to(outcome.preemptions);
  outcome.replay = value.value("replay", "");
  return outcome;
}

void read_shard(const Json& value, TestRun& run) {
  if (value.is_null()) return;
  run.shard = {value.at("index").get<std::uint32_t>(), value.at("count").get<std::uint32_t>()};
  if (run.shard->index == 0 || run.shard->index > run.shard->count)
    throw std::invalid_argument("\"index\" is not a shard's");
  for (const auto& [name, text] : value.at("run").items())
    run.identity.emplace_back(name, text.get<std::string>());
  value.at("sampled").get_to(run.sampled);
  value.at("failures").get_to(run.failures);
  value.at("findings").get_to(run.findings);
}

void read_gaps(const Json& value, TestRun& run) {
  const std::vector<Gap> counted = gaps_of(run.inconclusive);
  for (const Json& gap : value) {
    Gap read = {gap.at("kind").get<std::string>(), gap.at("detail").get<std::string>(),
                text_or_empty(gap.at("remedy")), gap_effect(gap.at("effect").get<std::string>())};
    if (std::find(counted.begin(), counted.end(), read) == counted.end()) run.gaps.push_back(std::move(read));
  }
}

void read_refutation(const Json& value, TestRun& run) {
  if (value.is_null()) return;
  run.refuted = {value.at("step").get<unsigned>(), value.at("thread").get<int>(),
                 text_or_empty(value.at("operation")), text_or_empty(value.at("location"))};
}

void read_imunit(const Json& value, TestRun& run) {
  if (value.is_null()) return;
  ImunitResult& result = run.imunit.emplace();
  result.schedule = text_or_empty(value.at("schedule"));
  value.at("text").get_to(result.text);
  value.at("expects_infeasible").get_to(result.expects_infeasible);
  value.at("checks").get_to(result.checks);
  value.at("satisfied").get_to(result.satisfied);
  value.at("stuck").get_to(result.stuck);
  result.stuck_example = text_or_empty(value.at("stuck_example"));
  value.at("proved").get_to(result.proved);
  const std::string verdict = value.at("verdict").get<std::string>();
  using Verdict = ImunitResult::Verdict;
  for (const Verdict each : {Verdict::satisfied, Verdict::infeasible, Verdict::not_met})
    if (verdict == to_string(each)) result.verdict = each;
}

Suppressed read_suppressed(const Json& value) {
  return {value.at("kind").get<std::string>(),    value.at("key").get<std::string>(),
          value.at("message").get<std::string>(), value.at("schedule").get<std::uint64_t>(),
          value.at("reason").get<std::string>(),  value.at("by").get<std::string>()};
}

TestRun read_run(const Json& value) {
  TestRun run;
  const Json& test = value.at("test");
  test.at("binary").get_to(run.binary);
  test.at("name").get_to(run.name);
  test.at("arguments").get_to(run.arguments);
  value.at("strategy").get_to(run.strategy);
  run.depth = optional<unsigned>(value.at("depth"));
  run.interesting = text_or_empty(value.at("interesting"));
  run.bound = optional<unsigned>(value.at("bound"));
  run.heuristic = text_or_empty(value.at("heuristic"));
  value.at("seed").get_to(run.seed);
  value.at("keep_going").get_to(run.keep_going);
  value.at("schedules").get_to(run.schedules);
  value.at("pruned").get_to(run.pruned);
  run.followed = value.value("followed", std::uint64_t{0});
  value.at("audited").get_to(run.audited);
  read_refutation(value.at("refuted"), run);
  run.bound_completed = optional<unsigned>(value.at("bound_completed"));
  run.exhausted = optional<bool>(value.at("exhausted")).value_or(false);
  value.at("wall_seconds").get_to(run.wall_seconds);
  value.at("executions_per_second").get_to(run.executions_per_second);
  run.control = read_control(value.at("control"));
  for (const Json& outcome : value.at("outcomes")) run.outcomes.push_back(read_outcome(outcome));
  for (const Json& one : value.at("suppressed")) run.suppressed.push_back(read_suppressed(one));
  value.at("rounds").get_to(run.rounds);
  if (value.contains("schedules_in_round"))
    run.schedules_in_round = value.at("schedules_in_round").get<std::uint64_t>();
  value.at("promoted").get_to(run.promoted);
  for (const Json& access : value.at("promoted_accesses"))
    run.promoted_accesses.push_back({access.at("module").get<std::string>(),
                                     access.at("offset").get<std::uint64_t>(),
                                     access.at("location").get<std::string>()});
  const Json& open = value.at("inconclusive");
  open.at("step_limit").get_to(run.inconclusive.step_limit);
  open.at("watchdog").get_to(run.inconclusive.watchdog);
  open.at("livelock").get_to(run.inconclusive.livelock);
  open.at("loops_cut").get_to(run.inconclusive.loops_cut);
  open.at("memory_limit").get_to(run.inconclusive.memory_limit);
  run.inconclusive.example = text_or_empty(open.at("example"));
  read_imunit(value.value("imunit", Json()), run);
  read_gaps(value.at("gaps"), run);
  run.ended = end_reason(value.at("ended").get<std::string>());
  run.error = {error_kind(value.at("error_kind")), text_or_empty(value.at("error"))};
  value.at("notes").get_to(run.notes);
  read_shard(value.at("shard"), run);
  return run;
}

} // namespace

RunFile parse_run_file(const std::string& text, const std::string& name) {
  const Json document = Json::parse(text, nullptr, false);
  if (!document.is_object() || !document.contains("reex") || !document.contains("format"))
    throw RunFileError(fmt::format("{} is no JSON report of reex: write one with --format json:PATH", name));
  if (document["format"] != 1)
    throw RunFileError(
        fmt::format("{} is a report of another format than 1: write it again with this reex", name));
  try {
    RunFile file;
    file.name = name;
    file.several_tests = document.contains("runs");
    if (file.several_tests)
      for (const Json& run : document["runs"]) file.runs.push_back(read_run(run));
    else
      file.runs.push_back(read_run(document));
    if (document.contains("run_notes")) document["run_notes"].get_to(file.notes);
    if (document.contains("skipped")) document["skipped"].get_to(file.skipped);
    const Json& first = file.several_tests ? document["runs"].at(0) : document;
    file.base = text_or_empty(first.at("base"));
    return file;
  } catch (const Json::exception& error) {
    throw RunFileError(
        fmt::format("{} is damaged, or of another version of reex ({}): write it again", name, error.what()));
  } catch (const std::invalid_argument& error) {
    throw RunFileError(fmt::format("{} is damaged ({}): write it again", name, error.what()));
  }
}

RunFile read_run_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw RunFileError(fmt::format("cannot read {}: give a JSON report of reex", path));
  return parse_run_file(std::string(std::istreambuf_iterator<char>(file), {}), path);
}

} // namespace reex
