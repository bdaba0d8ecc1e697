// What the runs of a comparison say: for each strategy how many schedules it needs, and how that compares
// with Basic and with random.
//
// The measure is the ordinal of the first execution that failed. A run without a failure is censored: it
// needs more than it executed. A run that claims its bound without a failure has none at any number of
// schedules; it is censored at the limit. Runs that were not judged count as nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/compare/comparison.h"
#include "report/statistics/bootstrap.h"
#include "report/statistics/rank_test.h"
#include "report/statistics/summary.h"

namespace reex {

// Of failures, those that end an execution; data races only if there is nothing else in any run.
enum class Measured : std::uint8_t { failure, race };

Measured measured_in(const Comparison& comparison);
// Its first failure of the measured sort; nullptr if it has none.
const FirstFailure* found_by(const RunRecord& run, Measured measured);
// Of a judged run.
Observation observation_of(const RunRecord& run, Measured measured, std::uint64_t schedule_limit);
// The same in the run's last round, or in that of the failure.
Observation observation_in_round(const RunRecord& run, Measured measured, std::uint64_t schedule_limit);

// A strategy beside a control. Above 1, a factor says that the control needs more schedules.
struct Against {
  std::optional<Estimate> factor; // of the geometric means
  std::optional<Interval> factor_interval;
  double a12 = 0.5; // above 0.5: the strategy tends to need less
  std::optional<Interval> a12_interval;
  RankTest test;
  double p_holm = 1; // adjusted for all heuristics that are compared with this control
};

// A row's counts without the schedules of earlier rounds.
struct RoundCounts {
  std::optional<Observation> default_order;
  Sample seeds;
};

struct Row {
  Contestant contestant;
  std::string reduction;
  std::optional<Observation> default_order; // none for what samples
  Sample seeds;                             // the randomized orders, or the samples
  std::optional<Estimate> default_against_basic;
  std::optional<Estimate> lower, median, upper; // quartiles of `seeds`
  std::optional<Against> against_basic;         // none for Basic itself, or where one has no seeds
  std::optional<Against> against_random;
  std::uint64_t not_found = 0; // of all runs
  std::uint64_t not_judged = 0;
  double processor_seconds = 0;        // of all runs
  double schedules_per_second = 0;     // while exploring, of the run that shows the costs; 0 if there is none
  std::optional<RoundCounts> in_round; // if a run had several rounds
};

enum class Pays : std::uint8_t { yes, no, unclear, unknown };

struct ComparisonVerdict {
  Pays pays = Pays::unknown;
  std::string headline; // "THE CHANGE PAYS"
  std::string text;     // with the intervals
};

struct Findings {
  Measured measured = Measured::failure;
  std::vector<Row> rows; // by reduction (auto, none), in the order of the contestants; samples with both
  bool shallow = false;  // random needs a median of less than 20 schedules
  ComparisonVerdict verdict;
};

// Random finds it in so few schedules (the median) that it tells little about a strategy.
inline constexpr double k_shallow = 20;

Findings analyse(const Comparison& comparison);

// The most threads of an execution, the first one counted; 0: not known.
unsigned threads_of(const Comparison& comparison);

// Whether a run had several rounds.
bool has_rounds(const Findings& findings);
// Of the runs that may be shown, takes the first one whose failure is the one that is measured.
void choose_shown(Comparison& comparison);

// The row of a contestant. What samples has the same row under each reduction. nullptr if there is none.
const Row* row_of(const Findings& findings, const std::string& contestant, const std::string& reduction);

} // namespace reex
