// Workers that share one search, compared with what the machine can do: the same search with one worker, with
// two workers, and in two processes at the same time with one worker each.
#include <chrono>
#include <exception>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

#include <benchmark/benchmark.h>

#include "bench/measure.h"

namespace {

using namespace reex;
using namespace reex::bench;

constexpr std::uint64_t k_schedules = 200000; // of 756,756

ExploreOptions by_workers(unsigned jobs) {
  ExploreOptions options =
      options_for({.binary = REEX_BENCH_OPERATIONS, .arguments = {"atomic", "3", "5"}, .test_name = ""});
  options.strategy = SearchStrategy::icb;
  options.reduction = Reduction::none;
  options.jobs = jobs;
  return options;
}

double seconds(unsigned jobs) { return run_explored(by_workers(jobs), scaled(k_schedules)).seconds; }

double seconds_of_two_processes() {
  const auto start = std::chrono::steady_clock::now();
  const pid_t other = fork();
  if (other == 0) {
    try {
      seconds(1);
    } catch (const std::exception&) {
      _exit(1);
    }
    _exit(0);
  }
  seconds(1);
  int status = 0;
  if (other < 0 || waitpid(other, &status, 0) != other || status != 0)
    throw std::runtime_error("the other process failed");
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void jobs(benchmark::State& state) try {
  for ([[maybe_unused]] const auto once : state) {
    const auto each =
        take_turns({[] { return seconds(1); }, [] { return seconds(2); }, seconds_of_two_processes});
    state.counters["one_s"] = median(each[0]);
    state.counters["two_s"] = median(each[1]);
    state.counters["speedup"] = median_ratio(each[0], each[1]);
    state.counters["speedup_of_two_processes"] = 2 * median_ratio(each[0], each[2]);
  }
} catch (const std::exception& error) {
  state.SkipWithError(error.what());
}

} // namespace

BENCHMARK(jobs)->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);
