// Helpers for the benchmarks: executions under reex, plain runs of the same program, and rounds. In each
// round every compared variant runs once, because other work on the machine disturbs the measurements.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "reex/run/options.h"

namespace reex::bench {

struct Program {
  std::string binary;
  std::vector<std::string> arguments;
  std::string test_name; // of a GoogleTest binary
};

struct Sample {
  double seconds = 0;     // wall time, from the start of the process to its end
  double cpu_seconds = 0; // of the process and its children
  std::uint64_t executions = 0;
  std::string isolation; // "restore" or "fork"; the reason is set if the benchmark did not ask for it
  std::string isolation_reason;
};

// Options for random schedules without a bound. Every execution must pass.
ExploreOptions options_for(const Program& program);

// Explores `schedules` schedules. Throws std::runtime_error if there were fewer, or if one failed.
Sample run_explored(const ExploreOptions& options, std::uint64_t schedules);
// Explores all there are. Throws std::runtime_error if one failed.
Sample run_to_end(const ExploreOptions& options);

// Runs the program `runs` times without reex, one run after the other (posix_spawn).
Sample run_plainly(const Program& program, std::uint64_t runs);

// The seconds of one execution, by the clock and of the processor. To exclude the start of the process, a run
// with a single execution is subtracted. Other work on the machine has no effect on the seconds of the
// processor.
double seconds_each(const Sample& sample, const Sample& single);
double cpu_seconds_each(const Sample& sample, const Sample& single);

double median(std::vector<double> values);
double least(const std::vector<double>& values);

// Measures the variants in rounds: A B C A B C ... The result has one list of values for each variant.
using Variant = std::function<double()>;
std::vector<std::vector<double>> take_turns(const std::vector<Variant>& variants);

// The median of the quotients of all rounds. A disturbance of a whole round has no effect on it.
double median_ratio(const std::vector<double>& above, const std::vector<double>& below);

// `count`, or a hundredth of it under REEX_BENCH_QUICK.
std::uint64_t scaled(std::uint64_t count);

} // namespace reex::bench
