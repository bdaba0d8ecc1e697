#include "report/compare/analysis.h"

#include <algorithm>

#include "report/compare/comparison_verdict.h"

namespace reex {
namespace {

bool is_of(const RunRecord& run, const std::string& contestant, const std::string& reduction) {
  return run.id.contestant == contestant && run.id.reduction == reduction;
}

std::optional<double> factor_of(const std::vector<Sample>& samples) {
  const auto factor = ratio(geometric_mean(samples[0]), geometric_mean(samples[1]));
  return factor ? std::optional(factor->value) : std::nullopt;
}

std::optional<Against> against(const Row* control, const Row& row) {
  if (control == nullptr || control->seeds.empty() || row.seeds.empty()) return std::nullopt;
  if (control->contestant == row.contestant) return std::nullopt;
  Against result;
  result.factor = ratio(geometric_mean(control->seeds), geometric_mean(row.seeds));
  result.factor_interval = bootstrap({control->seeds, row.seeds}, factor_of);
  result.a12 = a12(row.seeds, control->seeds);
  result.a12_interval = bootstrap({row.seeds, control->seeds}, [](const std::vector<Sample>& drawn) {
    return std::optional(a12(drawn[0], drawn[1]));
  });
  result.test = rank_test(row.seeds, control->seeds);
  result.p_holm = result.test.p;
  return result;
}

// The heuristics under one reduction are a family of tests against the same control.
void adjust(std::vector<Row>& rows, const std::string& reduction, std::optional<Against> Row::*control) {
  std::vector<Against*> family;
  std::vector<double> p_values;
  for (Row& row : rows) {
    if (row.reduction != reduction || row.contestant.kind != ContestantKind::heuristic || !(row.*control))
      continue;
    family.push_back(&*(row.*control));
    p_values.push_back(family.back()->test.p);
  }
  const std::vector<double> adjusted = holm(p_values);
  for (std::size_t i = 0; i < family.size(); ++i) family[i]->p_holm = adjusted[i];
}

Row row_of_runs(const Comparison& comparison, const Contestant& contestant, const std::string& reduction,
                Measured measured) {
  Row row;
  row.contestant = contestant;
  row.reduction = reduction;
  const bool samples = contestant.kind == ContestantKind::sampler;
  RoundCounts in_round;
  bool several_rounds = false;
  for (const RunRecord& run : comparison.runs) {
    if (is_of(run, contestant.name, k_cost_run)) row.schedules_per_second = run.schedules_per_second;
    if (!is_of(run, contestant.name, reduction)) continue;
    row.processor_seconds += run.processor_seconds;
    if (!run.judged) {
      ++row.not_judged;
      continue;
    }
    const Observation one = observation_of(run, measured, comparison.schedule_limit);
    const Observation last = observation_in_round(run, measured, comparison.schedule_limit);
    several_rounds = several_rounds || last.value != one.value;
    if (one.censored) ++row.not_found;
    if (run.id.seed == 0 && !samples) {
      row.default_order = one;
      in_round.default_order = last;
    } else {
      row.seeds.push_back(one);
      in_round.seeds.push_back(last);
    }
  }
  if (several_rounds) row.in_round = std::move(in_round);
  row.lower = quantile(row.seeds, 0.25);
  row.median = quantile(row.seeds, 0.5);
  row.upper = quantile(row.seeds, 0.75);
  return row;
}

bool has_run(const Comparison& comparison, const Row& row) {
  return std::any_of(comparison.runs.begin(), comparison.runs.end(),
                     [&](const RunRecord& run) { return is_of(run, row.contestant.name, row.reduction); });
}

void compare_rows(std::vector<Row>& rows, const Findings& findings) {
  for (Row& row : rows) {
    const Row* basic = row_of(findings, "Basic", row.reduction == "any" ? "auto" : row.reduction);
    row.against_basic = against(basic, row);
    row.against_random = against(row_of(findings, "random", row.reduction), row);
    if (basic != nullptr && basic->default_order && row.default_order) {
      const Sample control = {*basic->default_order};
      const Sample own = {*row.default_order};
      row.default_against_basic = ratio(geometric_mean(control), geometric_mean(own));
    }
  }
  for (const char* reduction : {"auto", "none"}) {
    adjust(rows, reduction, &Row::against_basic);
    adjust(rows, reduction, &Row::against_random);
  }
}

} // namespace

Measured measured_in(const Comparison& comparison) {
  const auto has = [&](std::optional<FirstFailure> RunRecord::*sort) {
    return std::any_of(comparison.runs.begin(), comparison.runs.end(), [&](const RunRecord& run) {
      return run.id.reduction != k_cost_run && (run.*sort).has_value();
    });
  };
  return !has(&RunRecord::failure) && has(&RunRecord::race) ? Measured::race : Measured::failure;
}

const FirstFailure* found_by(const RunRecord& run, Measured measured) {
  const auto& found = measured == Measured::failure ? run.failure : run.race;
  return found ? &*found : nullptr;
}

Observation observation_of(const RunRecord& run, Measured measured, std::uint64_t schedule_limit) {
  if (const FirstFailure* found = found_by(run, measured)) return {static_cast<double>(found->schedule)};
  const bool nothing_left = run.ended == "exhausted" || run.ended == "bound";
  const std::uint64_t executed = std::max<std::uint64_t>(1, run.schedules);
  return {static_cast<double>(nothing_left ? std::max(executed, schedule_limit) : executed), true};
}

Observation observation_in_round(const RunRecord& run, Measured measured, std::uint64_t schedule_limit) {
  Observation one = observation_of(run, measured, schedule_limit);
  const FirstFailure* found = found_by(run, measured);
  if (found != nullptr && found->schedule_in_round != 0)
    one.value = static_cast<double>(found->schedule_in_round);
  const bool cut_off = found == nullptr && run.ended != "exhausted" && run.ended != "bound";
  if (cut_off && run.schedules_in_round)
    one.value = static_cast<double>(std::max<std::uint64_t>(1, *run.schedules_in_round));
  return one;
}

void choose_shown(Comparison& comparison) {
  const Measured measured = measured_in(comparison);
  for (RunRecord& run : comparison.runs) {
    const FirstFailure* found = found_by(run, measured);
    if (!comparison.shown && run.judged && run.shown && found != nullptr && found->key == run.shown->key)
      comparison.shown = {run.id, std::move(*run.shown)};
    run.shown.reset();
  }
}

Findings analyse(const Comparison& comparison) {
  Findings findings;
  findings.measured = measured_in(comparison);
  for (const char* reduction : {"auto", "none", "any"})
    for (const Contestant& contestant : comparison.contestants) {
      const Row row = row_of_runs(comparison, contestant, reduction, findings.measured);
      if (has_run(comparison, row)) findings.rows.push_back(row);
    }
  std::vector<Row> rows = findings.rows;
  compare_rows(rows, findings);
  findings.rows = std::move(rows);
  const Row* random = row_of(findings, "random", "any");
  findings.shallow = random != nullptr && random->median && random->median->known == Known::exactly &&
                     random->median->value < k_shallow;
  findings.verdict = verdict_on(comparison, findings);
  return findings;
}

unsigned threads_of(const Comparison& comparison) {
  unsigned most = 0;
  for (const RunRecord& run : comparison.runs) most = std::max(most, run.threads);
  return most;
}

bool has_rounds(const Findings& findings) {
  return std::any_of(findings.rows.begin(), findings.rows.end(),
                     [](const Row& row) { return row.in_round.has_value(); });
}

const Row* row_of(const Findings& findings, const std::string& contestant, const std::string& reduction) {
  for (const Row& row : findings.rows)
    if (row.contestant.name == contestant && (row.reduction == reduction || row.reduction == "any"))
      return &row;
  return nullptr;
}

} // namespace reex
