// The cost of an execution, depending on the memory in use before the first thread, with restore and with
// fork. Each execution writes 16 pages of that memory.
#include <exception>

#include <benchmark/benchmark.h>

#include "bench/measure.h"

namespace {

using namespace reex;
using namespace reex::bench;

ExploreOptions with_memory(std::int64_t bytes, Isolation isolation) {
  ExploreOptions options = options_for({.binary = REEX_BENCH_HEAP,
                                        .arguments = {std::to_string(bytes), bytes == 0 ? "0" : "16"},
                                        .test_name = ""});
  options.isolation = isolation;
  return options;
}

void memory(benchmark::State& state) try {
  const ExploreOptions automatic = with_memory(state.range(0), Isolation::automatic);
  const ExploreOptions forking = with_memory(state.range(0), Isolation::fork);
  for ([[maybe_unused]] const auto once : state) {
    const Sample probe = run_explored(automatic, 1);
    const bool restored = probe.isolation == "restore";
    const std::uint64_t executions = scaled(!restored ? 500 : state.range(0) < 1 << 19 ? 50000 : 5000);
    const auto each = take_turns({
        [&] {
          return cpu_seconds_each(run_explored(automatic, executions), run_explored(automatic, 1)) * 1e6;
        },
        [&] { return cpu_seconds_each(run_explored(forking, scaled(500)), run_explored(forking, 1)) * 1e6; },
    });
    state.counters["us"] = median(each[0]);
    state.counters["fork_us"] = median(each[1]);
    state.counters["fork_by_this"] = median_ratio(each[1], each[0]);
    state.SetLabel(restored ? "restore" : probe.isolation + ": " + probe.isolation_reason);
  }
} catch (const std::exception& error) {
  state.SkipWithError(error.what());
}

} // namespace

BENCHMARK(memory)
    ->ArgName("bytes")
    ->Arg(0)
    ->Arg(256 << 10)
    ->Arg(1 << 20)
    ->Arg(4 << 20)
    ->Arg(16 << 20)
    ->Arg(64 << 20)
    ->Iterations(1)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
