// What the benchmarks measure with: executions under reex, plain runs of the same program, and rounds in
// which the compared variants take turns, because no machine is ever quiet.
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
  std::string isolation; // "restore" or "fork", and why where it was not asked for
  std::string isolation_reason;
};

// Random schedules without a bound; every execution has to pass.
ExploreOptions options_for(const Program& program);

// Explores until there are `schedules` of them. Throws std::runtime_error if there were fewer, or one failed.
Sample run_explored(const ExploreOptions& options, std::uint64_t schedules);

// The program by itself, `runs` times one after the other (posix_spawn).
Sample run_plainly(const Program& program, std::uint64_t runs);

// Seconds an execution takes, the process's start taken off by the difference to a run with a single one: by
// the clock, and of the processor. The latter does not see what else the machine does.
double seconds_each(const Sample& sample, const Sample& single);
double cpu_seconds_each(const Sample& sample, const Sample& single);

double median(std::vector<double> values);
double least(const std::vector<double>& values);

// One list of values for each variant, in rounds A B C A B C ...
using Variant = std::function<double()>;
std::vector<std::vector<double>> take_turns(const std::vector<Variant>& variants);

// The median of the rounds' quotients: what disturbs a whole round falls out.
double median_ratio(const std::vector<double>& above, const std::vector<double>& below);

// `count`, or a hundredth of it under REEX_BENCH_QUICK.
std::uint64_t scaled(std::uint64_t count);

} // namespace reex::bench
