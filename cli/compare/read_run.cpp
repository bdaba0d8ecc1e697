#include "cli/compare/read_run.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/terminal/command_error.h"

namespace reex {
namespace {

using Json = nlohmann::json;

constexpr int k_no_status = -1; // ended by a signal

std::string last_line(const std::string& text) {
  const std::size_t line = text.rfind('\n');
  std::string last = line == std::string::npos ? text : text.substr(line + 1);
  if (last.starts_with("reex: ")) last.erase(0, 6);
  return last.empty() ? "it printed nothing" : last;
}

RunRecord not_judged(RunRecord run, const std::string& problem) {
  run.judged = false;
  run.problem = problem;
  return run;
}

bool is_finding(const std::string& kind) {
  return kind == "race" || kind == "never-joined" || kind == "destroyed-while-held" ||
         kind == "unlocked-by-stranger" || kind == "woken-after-free" || kind == "gone-thread";
}

void take_first(std::optional<FirstFailure>& first, const Json& failure) {
  const auto schedule = failure.at("schedule").get<std::uint64_t>();
  if (schedule == 0 || (first && first->schedule <= schedule)) return;
  first = FirstFailure{schedule, failure.at("kind"), failure.at("key"), failure.at("message"),
                       failure.value("schedule_in_round", std::uint64_t{0})};
}

// Why a run without a verdict has none.
std::string problem_of(const Json& json) {
  if (json.at("error").is_string()) return json.at("error");
  for (const Json& gap : json.at("gaps"))
    if (gap.at("effect") == "verdict") return gap.at("detail");
  return "verdict " + json.at("verdict").get<std::string>();
}

// Only executions that reached the limit on steps that was given stand in the way of a verdict.
bool only_steps(const Json& json) {
  const Json& inconclusive = json.at("inconclusive");
  if (inconclusive.at("watchdog") != 0 || inconclusive.at("memory_limit") != 0) return false;
  for (const Json& gap : json.at("gaps"))
    if (gap.at("effect") == "verdict" && gap.at("kind") != "step-limit" && gap.at("kind") != "spinning")
      return false;
  return true;
}

// Settings of the project could make another run of it than the one that was asked for.
void check_asked(const RunId& id, const Json& json) {
  const std::string strategy = json.at("strategy");
  if (json.at("seed") != id.seed || strategy.starts_with("portfolio"))
    throw UsageError(
        fmt::format("the settings of the project turn a run into another one ({}, seed {}): take the "
                    "setting portfolio away for the comparison",
                    strategy, json.at("seed").dump()));
}

RunRecord judge(RunRecord run, const Json& json, bool steps_limited) {
  check_asked(run.id, json);
  for (const Json& failure : json.at("failures"))
    take_first(is_finding(failure.at("kind")) ? run.race : run.failure, failure);
  run.schedules = json.at("schedules");
  run.pruned = json.at("pruned");
  run.ended = json.at("ended");
  run.isolation = json.at("control").at("isolation");
  run.threads = json.at("control").value("threads", 0U);
  run.wall_seconds = json.at("wall_seconds");
  run.schedules_per_second = json.at("executions_per_second");
  if (json.contains("schedules_in_round"))
    run.schedules_in_round = json.at("schedules_in_round").get<std::uint64_t>();
  const std::string verdict = json.at("verdict");
  if (verdict == "failed" || verdict == "passed" || verdict == "no-failure-found") return run;
  if (verdict == "inconclusive" && steps_limited && only_steps(json)) return run;
  return not_judged(std::move(run), problem_of(json));
}

} // namespace

std::string shown_report(const std::string& report) { return report + ".shown"; }

std::optional<RunRecord> read_run(const EndedRun& ended) {
  RunRecord run;
  run.id = ended.id;
  run.processor_seconds = ended.processor_seconds;
  run.status = WIFEXITED(ended.wait_status) ? WEXITSTATUS(ended.wait_status) : k_no_status;
  if (run.status == static_cast<int>(ExitStatus::interrupted)) return std::nullopt;
  for (const ExitStatus refused : {ExitStatus::usage, ExitStatus::unresolved})
    if (run.status == static_cast<int>(refused)) throw CommandError(refused, last_line(ended.tail));
  if (run.status == k_no_status)
    return not_judged(std::move(run), fmt::format("signal {}", strsignal(WTERMSIG(ended.wait_status))));
  std::ifstream file(ended.report, std::ios::binary);
  if (!file) return not_judged(std::move(run), last_line(ended.tail));
  try {
    run = judge(std::move(run), Json::parse(file), ended.steps_limited);
    std::ifstream shown(shown_report(ended.report), std::ios::binary);
    if (shown) run.shown = shown_failure_of(nlohmann::ordered_json::parse(shown));
    return run;
  } catch (const Json::exception& error) {
    RunRecord unread;
    unread.id = ended.id;
    unread.status = WIFEXITED(ended.wait_status) ? WEXITSTATUS(ended.wait_status) : k_no_status;
    return not_judged(std::move(unread), fmt::format("its report cannot be read: {}", error.what()));
  }
}

} // namespace reex
