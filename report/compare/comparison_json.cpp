#include "report/compare/comparison_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>
#include <string>

#include "report/compare/analysis.h"

namespace reex {
namespace {

using Json = nlohmann::ordered_json;

constexpr int k_format = 1;

Json json_of(const std::optional<FirstFailure>& failure) {
  if (!failure) return nullptr;
  Json json = {{"schedule", failure->schedule},
               {"kind", failure->kind},
               {"key", failure->key},
               {"message", failure->message}};
  if (failure->schedule_in_round != 0) json["schedule_in_round"] = failure->schedule_in_round;
  return json;
}

Json json_of(const RunRecord& run) {
  Json json = {{"strategy", run.id.contestant},
               {"reduction", run.id.reduction},
               {"seed", run.id.seed},
               {"judged", run.judged},
               {"problem", run.problem.empty() ? Json(nullptr) : Json(run.problem)},
               {"status", run.status},
               {"failure", json_of(run.failure)},
               {"race", json_of(run.race)},
               {"schedules", run.schedules},
               {"pruned", run.pruned},
               {"ended", run.ended},
               {"isolation", run.isolation},
               {"processor_seconds", run.processor_seconds},
               {"wall_seconds", run.wall_seconds},
               {"schedules_per_second", run.schedules_per_second}};
  if (run.schedules_in_round) json["schedules_in_round"] = *run.schedules_in_round;
  if (run.shown) json["shown"] = shown_failure_json(run.shown);
  if (run.threads != 0) json["threads"] = run.threads;
  return json;
}

Json json_of(const ShownRun& shown) {
  Json json = {{"strategy", shown.id.contestant}, {"reduction", shown.id.reduction}, {"seed", shown.id.seed}};
  json["failure"] = shown_failure_json(shown.failure);
  return json;
}

const char* word_of(Known known) {
  switch (known) {
  case Known::exactly:
    return "exactly";
  case Known::at_least:
    return "at-least";
  case Known::at_most:
    return "at-most";
  case Known::unknown:
    return "unknown";
  }
  return "";
}

Json json_of(const std::optional<Estimate>& estimate) {
  if (!estimate) return nullptr;
  return {{"value", estimate->value}, {"known", word_of(estimate->known)}};
}

Json json_of(const std::optional<Observation>& one) {
  if (!one) return nullptr;
  return {{"value", one->value}, {"known", one->censored ? "at-least" : "exactly"}};
}

Json json_of(const std::optional<Interval>& interval) {
  if (!interval) return nullptr;
  return {{"low", interval->low}, {"high", interval->high}};
}

Json json_of(const std::optional<Against>& against) {
  if (!against) return nullptr;
  return {{"factor", json_of(against->factor)},
          {"factor_interval", json_of(against->factor_interval)},
          {"a12", against->a12},
          {"a12_interval", json_of(against->a12_interval)},
          {"p", against->test.p},
          {"p_is_exact", against->test.exact},
          {"p_holm", against->p_holm}};
}

Json json_of(const Row& row) {
  Json json = {{"strategy", row.contestant.name},
               {"reduction", row.reduction},
               {"default_order", json_of(row.default_order)},
               {"default_against_basic", json_of(row.default_against_basic)},
               {"runs", row.seeds.size()},
               {"quartiles", {json_of(row.lower), json_of(row.median), json_of(row.upper)}},
               {"against_basic", json_of(row.against_basic)},
               {"against_random", json_of(row.against_random)},
               {"not_found", row.not_found},
               {"not_judged", row.not_judged},
               {"processor_seconds", row.processor_seconds},
               {"schedules_per_second", row.schedules_per_second}};
  if (row.in_round)
    json["in_round"] = {
        {"default_order", json_of(row.in_round->default_order)},
        {"quartiles",
         {json_of(quantile(row.in_round->seeds, 0.25)), json_of(quantile(row.in_round->seeds, 0.5)),
          json_of(quantile(row.in_round->seeds, 0.75))}}};
  return json;
}

const char* word_of(ContestantKind kind) {
  switch (kind) {
  case ContestantKind::basic:
    return "basic";
  case ContestantKind::heuristic:
    return "heuristic";
  case ContestantKind::sampler:
    return "samples";
  case ContestantKind::turns:
    return "turns";
  }
  return "";
}

ContestantKind kind_of(const std::string& word) {
  for (const auto kind :
       {ContestantKind::basic, ContestantKind::heuristic, ContestantKind::sampler, ContestantKind::turns})
    if (word == word_of(kind)) return kind;
  throw ComparisonFileError(fmt::format("'{}' is no kind of strategy", word));
}

std::optional<FirstFailure> failure_of(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return FirstFailure{json.at("schedule"), json.at("kind"), json.at("key"), json.at("message"),
                      json.value("schedule_in_round", std::uint64_t{0})};
}

RunRecord run_of(const Json& json) {
  RunRecord run;
  run.id = {json.at("strategy"), json.at("reduction"), json.at("seed")};
  run.judged = json.at("judged");
  if (!json.at("problem").is_null()) run.problem = json.at("problem");
  run.status = json.at("status");
  run.failure = failure_of(json.at("failure"));
  run.race = failure_of(json.at("race"));
  run.schedules = json.at("schedules");
  run.pruned = json.at("pruned");
  run.ended = json.at("ended");
  run.isolation = json.at("isolation");
  run.processor_seconds = json.at("processor_seconds");
  run.wall_seconds = json.at("wall_seconds");
  run.schedules_per_second = json.at("schedules_per_second");
  if (json.contains("schedules_in_round"))
    run.schedules_in_round = json.at("schedules_in_round").get<std::uint64_t>();
  if (json.contains("shown")) run.shown = shown_failure_of(json.at("shown"));
  run.threads = json.value("threads", 0U);
  return run;
}

Comparison comparison_of(const Json& json) {
  if (json.value("kind", "") != "comparison") throw ComparisonFileError("it is no comparison");
  if (json.at("format") != k_format) throw ComparisonFileError("another version of reex wrote it");
  Comparison comparison;
  comparison.version = json.at("reex");
  comparison.label = json.at("label");
  const Json& test = json.at("test");
  comparison.binary = test.at("binary");
  comparison.test = test.at("name");
  comparison.arguments = test.at("arguments").get<std::vector<std::string>>();
  comparison.build = test.at("sha256");
  const Json& change = json.at("change");
  comparison.change = change.at("title");
  comparison.base = change.at("base");
  comparison.impacted_points = change.at("impacted_points");
  comparison.auto_heuristic = change.value("auto_heuristic", "");
  const Json& analysis = change.at("analysis");
  comparison.analysis = {analysis.at("processor_seconds"), analysis.at("parsed"), analysis.at("cached")};
  comparison.judged = json.at("judged");
  comparison.options = json.at("options").get<std::vector<std::string>>();
  comparison.seeds = json.at("seeds");
  comparison.schedule_limit = json.at("limits").at("schedules");
  comparison.budget_seconds = json.at("limits").at("seconds");
  comparison.jobs = json.at("jobs");
  comparison.started = json.at("started");
  const Json& machine = json.at("machine");
  comparison.machine = {machine.at("system"), machine.at("processor"), machine.at("processors")};
  for (const Json& one : json.at("strategies"))
    comparison.contestants.push_back({one.at("name"), kind_of(one.at("kind"))});
  comparison.planned = json.at("planned");
  for (const Json& one : json.at("runs")) comparison.runs.push_back(run_of(one));
  if (json.contains("shown")) {
    const Json& shown = json.at("shown");
    if (auto failure = shown_failure_of(shown.at("failure")))
      comparison.shown = {{shown.at("strategy"), shown.at("reduction"), shown.at("seed")},
                          std::move(*failure)};
  }
  return comparison;
}

Json without_runs(const Comparison& comparison, const Findings& findings) {
  Json json = {{"format", k_format},
               {"kind", "comparison"},
               {"reex", comparison.version},
               {"label", comparison.label},
               {"test",
                {{"binary", comparison.binary},
                 {"name", comparison.test},
                 {"arguments", comparison.arguments},
                 {"sha256", comparison.build}}},
               {"change",
                {{"title", comparison.change},
                 {"base", comparison.base},
                 {"impacted_points", comparison.impacted_points},
                 {"auto_heuristic", comparison.auto_heuristic},
                 {"analysis",
                  {{"processor_seconds", comparison.analysis.processor_seconds},
                   {"parsed", comparison.analysis.parsed},
                   {"cached", comparison.analysis.cached}}}}},
               {"judged", comparison.judged},
               {"options", comparison.options},
               {"seeds", comparison.seeds},
               {"limits", {{"schedules", comparison.schedule_limit}, {"seconds", comparison.budget_seconds}}},
               {"jobs", comparison.jobs},
               {"started", comparison.started},
               {"machine",
                {{"system", comparison.machine.system},
                 {"processor", comparison.machine.processor},
                 {"processors", comparison.machine.processors}}}};
  Json strategies = Json::array();
  for (const Contestant& one : comparison.contestants)
    strategies.push_back({{"name", one.name}, {"kind", word_of(one.kind)}});
  json["strategies"] = std::move(strategies);
  json["planned"] = comparison.planned;
  json["measured"] = findings.measured == Measured::failure ? "failure" : "race";
  json["shallow"] = findings.shallow;
  json["verdict"] = {{"headline", findings.verdict.headline}, {"text", findings.verdict.text}};
  Json rows = Json::array();
  for (const Row& row : findings.rows) rows.push_back(json_of(row));
  json["summary"] = std::move(rows);
  if (const unsigned threads = threads_of(comparison); threads != 0) json["threads"] = threads;
  return json;
}

// Four digits: there are tens of thousands.
double rounded(double value) { return value == 0 ? 0 : std::stod(fmt::format("{:.4g}", value)); }

// One row for each run, which names no member: there are tens of thousands in an evaluation.
Json table_of(const std::vector<RunRecord>& runs) {
  const auto schedule_of = [](const std::optional<FirstFailure>& failure) {
    return failure ? Json(failure->schedule) : Json(nullptr);
  };
  Json rows = Json::array();
  for (const RunRecord& run : runs)
    rows.push_back({run.id.contestant, run.id.reduction, run.id.seed, run.judged,
                    run.problem.empty() ? Json(nullptr) : Json(run.problem), run.status,
                    schedule_of(run.failure), schedule_of(run.race), run.schedules, run.pruned, run.ended,
                    rounded(run.processor_seconds), rounded(run.wall_seconds),
                    rounded(run.schedules_per_second)});
  return {{"columns",
           {"strategy", "reduction", "seed", "judged", "problem", "status", "failure", "race", "schedules",
            "pruned", "ended", "processor_seconds", "wall_seconds", "schedules_per_second"}},
          {"rows", std::move(rows)}};
}

Json json_of(const Published& published) {
  Json json = {{"source", published.source},
               {"basic", published.basic},
               {"points", published.points},
               {"speed_ups", published.speed_ups},
               {"geometric_means", published.geometric_means},
               {"reasons", published.reasons}};
  if (!published.threads.empty()) json["threads"] = published.threads;
  for (const auto& [name, size] : published.sizes)
    json["sizes"][name] = {{"classes", size.classes}, {"methods", size.methods}, {"lines", size.lines}};
  return json;
}

} // namespace

std::string comparison_json(const Comparison& comparison) {
  Json json = without_runs(comparison, analyse(comparison));
  if (comparison.shown) json["shown"] = json_of(*comparison.shown);
  Json runs = Json::array();
  for (const RunRecord& run : comparison.runs) runs.push_back(json_of(run));
  json["runs"] = std::move(runs);
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string evaluation_json(const Evaluation& evaluation) {
  Json json = {{"format", k_format}, {"kind", "evaluation"}, {"command", evaluation.command}};
  json["published"] = evaluation.published ? json_of(*evaluation.published) : Json(nullptr);
  for (const auto& [name, subjects] :
       {std::pair{"subjects", &evaluation.subjects}, {"regressions", &evaluation.regressions}}) {
    Json& comparisons = json[name] = Json::array();
    for (const Subject& subject : *subjects) {
      Json one = without_runs(subject.comparison, subject.findings);
      one["runs"] = table_of(subject.comparison.runs);
      comparisons.push_back(std::move(one));
    }
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

Comparison read_comparison(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf()))
    throw ComparisonFileError(path + " cannot be read: give the JSON of a comparison");
  try {
    return comparison_of(Json::parse(text.str()));
  } catch (const std::exception& error) { // of JSON, or ComparisonFileError
    throw ComparisonFileError(
        fmt::format("{} cannot be used ({}): give the JSON that reex compare --format json:PATH writes", path,
                    error.what()));
  }
}

std::string run_line(const RunRecord& run) {
  return json_of(run).dump(-1, ' ', false, Json::error_handler_t::replace);
}

RunRecord run_of_line(const std::string& line) {
  try {
    return run_of(Json::parse(line));
  } catch (const Json::exception& error) {
    throw ComparisonFileError(error.what());
  }
}

} // namespace reex
