// Compares a run under reex with a plain run of the same program and a run under the real ThreadSanitizer.
// One benchmark makes them in turn, and measures whole processes from their start to their end. The plain
// program is not instrumented. A run under reex executes its only schedule twice (the self-check).
// `execution_ms` is the cost of one more execution in the same process.
#include <exception>

#include <benchmark/benchmark.h>

#include "bench/measure.h"

namespace {

using namespace reex;
using namespace reex::bench;

Program program(const char* binary, const char* kind, int threads, std::uint64_t count) {
  return {
      .binary = binary, .arguments = {kind, std::to_string(threads), std::to_string(count)}, .test_name = ""};
}

void one_run(benchmark::State& state, const char* kind, int threads, std::uint64_t operations) try {
  const std::uint64_t count = scaled(operations);
  ExploreOptions controlled = options_for(program(REEX_BENCH_OPERATIONS, kind, threads, count));
  controlled.bound = 0;
  ExploreOptions without_races = controlled;
  without_races.races = Races::off;
  const Program plain = program(REEX_BENCH_OPERATIONS_PLAIN, kind, threads, count);
  const Program sanitized = program(REEX_BENCH_OPERATIONS_TSAN, kind, threads, count);
  for ([[maybe_unused]] const auto once : state) {
    const auto each = take_turns({[&] { return run_explored(controlled, 1).cpu_seconds; },
                                  [&] { return run_explored(controlled, 6).cpu_seconds; },
                                  [&] { return run_explored(without_races, 1).cpu_seconds; },
                                  [&] { return run_plainly(plain, 1).cpu_seconds; },
                                  [&] { return run_plainly(sanitized, 1).cpu_seconds; }});
    state.counters["reex_ms"] = least(each[0]) * 1e3;
    state.counters["races_off_ms"] = least(each[2]) * 1e3;
    state.counters["plain_ms"] = least(each[3]) * 1e3;
    state.counters["tsan_ms"] = least(each[4]) * 1e3;
    state.counters["reex_by_plain"] = least(each[0]) / least(each[3]);
    state.counters["reex_by_tsan"] = least(each[0]) / least(each[4]);
    const double execution = (least(each[1]) - least(each[0])) / 5;
    state.counters["execution_ms"] = execution * 1e3;
    state.counters["execution_by_plain"] = execution / least(each[3]);
    state.counters["execution_by_tsan"] = execution / least(each[4]);
  }
} catch (const std::exception& error) {
  state.SkipWithError(error.what());
}

} // namespace

#define REEX_BENCHMARK(kind, threads, operations)                                                            \
  BENCHMARK_CAPTURE(one_run, kind##_##operations, #kind, threads, operations)                                \
      ->Name("one_run/" #kind "/" #operations)                                                               \
      ->Iterations(1)                                                                                        \
      ->UseRealTime()                                                                                        \
      ->Unit(benchmark::kMillisecond)

REEX_BENCHMARK(mutex, 2, 3);
REEX_BENCHMARK(mutex, 2, 100000);
REEX_BENCHMARK(atomic, 2, 200000);
REEX_BENCHMARK(notify, 2, 200000);
// One thread only: all threads would access the same cell, and race.
REEX_BENCHMARK(access, 1, 20000000);
REEX_BENCHMARK(bytes, 1, 10000000);
REEX_BENCHMARK(words, 1, 10000000);
REEX_BENCHMARK(call, 1, 10000000);
