#include "cli/compare/compare_plan.h"

#include <algorithm>
#include <sstream>

#include "cli/options/values.h"
#include "heuristics/table.h"

namespace reex {
namespace {

constexpr unsigned k_fewest_samples = 5;

std::vector<Contestant> all_contestants() {
  std::vector<Contestant> all;
  for (const Heuristic& row : heuristics())
    all.push_back({std::string(row.name), row.mask == 0 ? ContestantKind::basic : ContestantKind::heuristic});
  all.push_back({std::string(k_auto_contestant), ContestantKind::heuristic});
  for (const char* name : {"random", "pos", "pct", "surw"}) all.push_back({name, ContestantKind::sampler});
  all.push_back({"auto", ContestantKind::turns});
  return all;
}

// Of heuristic auto, with "+idle" or without.
constexpr std::string_view k_prefix = k_auto_contestant.substr(0, k_auto_contestant.find(':') + 1);

bool is_auto_contestant(std::string_view name) {
  return name.starts_with(k_prefix) && is_auto_heuristic(name.substr(k_prefix.size()));
}

bool is_control(const Contestant& one) { return one.kind == ContestantKind::basic || one.name == "random"; }

} // namespace

std::string heuristic_of(const std::string& contestant) {
  return is_auto_contestant(contestant) ? contestant.substr(k_prefix.size()) : contestant;
}

std::string contestant_of(const std::string& heuristic) {
  return is_auto_heuristic(heuristic) ? std::string(k_prefix) + heuristic : heuristic;
}

std::vector<Contestant> contestants_named(const std::vector<std::string>& names) {
  std::vector<Contestant> chosen;
  for (const Contestant& one : all_contestants()) {
    if (one.name == k_auto_contestant)
      for (auto name = names.begin(); name != names.end(); ++name)
        if (name->find('+') != std::string::npos && std::find(names.begin(), name, *name) == name)
          chosen.push_back({*name, ContestantKind::heuristic});
    if (names.empty() || is_control(one) || std::find(names.begin(), names.end(), one.name) != names.end())
      chosen.push_back(one);
  }
  return chosen;
}

std::vector<std::string> parse_contestant_names(const std::string& name, const std::string& text) {
  std::vector<std::string> known;
  for (const Contestant& one : all_contestants()) known.push_back(one.name);
  std::vector<std::string> names;
  std::istringstream list(text);
  for (std::string word; std::getline(list, word, ',');) {
    if (word == "all")
      names.insert(names.end(), known.begin(), known.end());
    else if (const auto by = canonical_heuristics(word))
      names.push_back(*by);
    else if (is_auto_contestant(word) || std::find(known.begin(), known.end(), word) != known.end())
      names.push_back(word);
    else
      throw_unknown(name, word, known);
  }
  return names;
}

bool may_be_shown(const RunId& run) {
  return run.reduction == "any" ? run.seed == 1 : run.reduction == "auto" && run.seed == 0;
}

ComparisonPlan plan_comparison(const std::vector<Contestant>& contestants, unsigned seeds) {
  ComparisonPlan plan;
  const auto samples = [](const Contestant& one) { return one.kind == ContestantKind::sampler; };
  for (const Contestant& one : contestants)
    plan.runs.push_back(samples(one) ? RunId{one.name, "any", 1} : RunId{one.name, "auto", 0});
  plan.first_round = plan.runs.size();
  for (unsigned seed = 0; seed <= std::max(seeds, k_fewest_samples); ++seed)
    for (const char* reduction : {"auto", "none"})
      for (const Contestant& one : contestants) {
        RunId run{one.name, samples(one) ? "any" : reduction, seed};
        const bool wanted = samples(one) ? seed > 0 : seed <= seeds;
        if (wanted && std::find(plan.runs.begin(), plan.runs.end(), run) == plan.runs.end())
          plan.runs.push_back(std::move(run));
      }
  for (const Contestant& one : contestants)
    plan.runs.push_back({one.name, k_cost_run, samples(one) ? 1U : 0U});
  return plan;
}

} // namespace reex
