// The shapes of a comparison: which strategies were run on one test and change, and what came of each run.
// Plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/compare/shown_failure.h"

namespace reex {

enum class ContestantKind : std::uint8_t { basic, heuristic, sampler, turns };

// A strategy that takes part. Its name is that of the table of heuristics (Basic, LOA, ...), which `icb`
// runs, or that of another strategy.
struct Contestant {
  std::string name;
  ContestantKind kind = ContestantKind::heuristic;
  bool operator==(const Contestant&) const = default;
};

// One run is told from the others by its contestant, reduction and seed.
struct RunId {
  std::string contestant;
  // "auto", "none"; "any" for what samples. "cost": a run that shows what schedules cost, without reduction
  // and beyond failures; it counts for nothing else.
  std::string reduction;
  std::uint64_t seed = 0; // 0: the default order
  auto operator<=>(const RunId&) const = default;
};

// The first execution that showed a failure, and the failure's name.
struct FirstFailure {
  std::uint64_t schedule = 0; // its ordinal, from 1
  std::string kind;
  std::string key;
  std::string message;
  std::uint64_t schedule_in_round = 0; // without those of earlier rounds; 0: there were none
};

// Of a run that shows what schedules cost.
inline constexpr const char* k_cost_run = "cost";

struct RunRecord {
  RunId id;
  bool judged = true;                  // false: the run says nothing, and counts as nothing
  std::string problem;                 // why it was not judged
  int status = 0;                      // the exit status of the run
  std::optional<FirstFailure> failure; // the first one that ended an execution
  std::optional<FirstFailure> race;    // the first data race or other finding that counts as a failure
  std::uint64_t schedules = 0;         // executed
  std::uint64_t pruned = 0;            // cut short
  std::string ended;                   // as in the JSON of a run
  std::string isolation;               // restore, fork; "" where nothing was executed
  double processor_seconds = 0;        // of the process and all its children
  double wall_seconds = 0;
  double schedules_per_second = 0;                 // while exploring
  std::optional<std::uint64_t> schedules_in_round; // executed in the last round, if there were several
  std::optional<ShownFailure> shown;               // of a run that may be shown, until one is chosen
  unsigned threads = 0; // the most of an execution, the first one counted; 0: not known
};

// Of one test.
struct ShownRun {
  RunId id;
  ShownFailure failure;
};

// The analysis of the change, made once before the runs.
struct AnalysisCost {
  double processor_seconds = 0;
  std::uint64_t parsed = 0; // units
  std::uint64_t cached = 0; // of them: from an earlier analysis
};

struct Machine {
  std::string system; // "Linux 6.18"
  std::string processor;
  unsigned processors = 0;
};

struct Comparison {
  std::string version; // of reex
  std::string label;
  std::string binary;
  std::string test; // "" for a plain program
  std::vector<std::string> arguments;
  std::string build;  // SHA-256 of the binary
  std::string change; // "HEAD~1 to the files on disk"
  std::string base;   // the commit, 40 digits
  std::uint64_t impacted_points = 0;
  std::string
      auto_heuristic; // what heuristic auto goes by: "LOA+FA"; "" if an earlier version of reex made the runs
  std::string judged; // the heuristic that the verdict is about
  std::vector<std::string> options; // of the runs, as given
  unsigned seeds = 0;               // randomized orders
  std::uint64_t schedule_limit = 0;
  double budget_seconds = 0; // of each run
  unsigned jobs = 0;         // runs at a time
  std::string started;       // UTC, ISO 8601
  Machine machine;
  AnalysisCost analysis;
  std::vector<Contestant> contestants;
  std::uint64_t planned = 0; // runs
  std::vector<RunRecord> runs;
  std::optional<ShownRun> shown; // none: no run has failed, or an earlier version of reex made the runs
};

} // namespace reex
