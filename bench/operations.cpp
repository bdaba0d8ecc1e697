// The nanoseconds of one operation of instrumented code, without reex (linked with libreex_hooks.so) and
// under reex. Each is the difference between runs with k and 2k operations.
#include <stdexcept>

#include <benchmark/benchmark.h>

#include "bench/measure.h"

namespace {

using namespace reex;
using namespace reex::bench;

struct Work {
  const char* kind;
  int threads;
  std::uint64_t per_execution;
  std::uint64_t executions;
  std::uint64_t alone; // operations of a run without reex
};

// Without preemptions, every execution does the same.
ExploreOptions unpreempted(const Program& program) {
  ExploreOptions options = options_for(program);
  options.bound = 0;
  return options;
}

Program operations(const Work& work, std::uint64_t count) {
  return {.binary = REEX_BENCH_OPERATIONS,
          .arguments = {work.kind, std::to_string(work.threads), std::to_string(count)},
          .test_name = ""};
}

double under_reex(const Work& work, Races races = Races::report) {
  const std::uint64_t count = scaled(work.per_execution);
  const std::uint64_t executions = scaled(work.executions);
  const auto run = [&](std::uint64_t each) {
    ExploreOptions options = unpreempted(operations(work, each));
    options.races = races;
    const Sample sample = run_explored(options, executions);
    if (sample.isolation != "restore") throw std::runtime_error(sample.isolation_reason);
    return sample;
  };
  const Sample few = run(count);
  const Sample many = run(2 * count);
  const double done = static_cast<double>(count * executions) * work.threads;
  return (many.cpu_seconds - few.cpu_seconds) / done * 1e9;
}

double alone(const Work& work) {
  const std::uint64_t count = scaled(work.alone);
  const Sample few = run_plainly(operations(work, count), 1);
  const Sample many = run_plainly(operations(work, 2 * count), 1);
  return (many.cpu_seconds - few.cpu_seconds) / static_cast<double>(count) / work.threads * 1e9;
}

void operation(benchmark::State& state, const Work& work) try {
  for ([[maybe_unused]] const auto once : state) {
    const auto each = take_turns({[&] { return under_reex(work); }, [&] { return alone(work); },
                                  [&] { return under_reex(work, Races::off); }});
    state.counters["reex_ns"] = median(each[0]);
    state.counters["races_off_ns"] = median(each[2]);
    state.counters["alone_ns"] = median(each[1]);
    state.counters["reex_by_alone"] = median_ratio(each[0], each[1]);
  }
} catch (const std::exception& error) {
  state.SkipWithError(error.what());
}

// The entry and the exit of a function: a function that makes one access, minus the access.
void call(benchmark::State& state) try {
  const Work accesses{
      .kind = "access", .threads = 1, .per_execution = 20000, .executions = 4000, .alone = 50000000};
  Work calls = accesses;
  calls.kind = "call";
  for ([[maybe_unused]] const auto once : state) {
    const auto each = take_turns({[&] { return under_reex(calls) - under_reex(accesses); },
                                  [&] { return alone(calls) - alone(accesses); }});
    state.counters["reex_ns"] = median(each[0]);
    state.counters["alone_ns"] = median(each[1]);
  }
} catch (const std::exception& error) {
  state.SkipWithError(error.what());
}

// An operation that takes its thread time, because the thread has read a clock, and one that does not.
void after_clock(benchmark::State& state, const Work& work) try {
  Work clocked = work;
  clocked.kind = "clocked";
  for ([[maybe_unused]] const auto once : state) {
    const auto each = take_turns({[&] { return under_reex(clocked); }, [&] { return under_reex(work); }});
    state.counters["reex_ns"] = median(each[0]);
    state.counters["without_clock_ns"] = median(each[1]);
    state.counters["by_without_clock"] = median_ratio(each[0], each[1]);
  }
} catch (const std::exception& error) {
  state.SkipWithError(error.what());
}

Program switches(const char* kind, std::uint64_t rounds) {
  return {.binary = REEX_BENCH_SWITCHES, .arguments = {kind, std::to_string(rounds)}, .test_name = ""};
}

// The same operations with two switches in each round, and with none.
void context_switch(benchmark::State& state) try {
  constexpr std::uint64_t k_rounds = 1000;
  constexpr std::uint64_t k_rounds_alone = 50000;
  const auto under = [](const char* kind) {
    return run_explored(unpreempted(switches(kind, scaled(k_rounds))), scaled(5000)).cpu_seconds;
  };
  const auto by_itself = [](const char* kind) {
    return run_plainly(switches(kind, scaled(k_rounds_alone)), 1).cpu_seconds;
  };
  for ([[maybe_unused]] const auto once : state) {
    const double rounds = static_cast<double>(scaled(k_rounds) * scaled(5000));
    const double rounds_alone = static_cast<double>(scaled(k_rounds_alone));
    const auto each =
        take_turns({[&] { return (under("forced") - under("few")) / (2 * rounds) * 1e9; },
                    [&] { return under("few") / (4 * rounds) * 1e9; },
                    [&] { return (by_itself("forced") - by_itself("few")) / (2 * rounds_alone) * 1e9; }});
    state.counters["reex_ns"] = median(each[0]);
    state.counters["operation_ns"] = median(each[1]);
    state.counters["alone_ns"] = median(each[2]);
    state.counters["alone_by_reex"] = median_ratio(each[2], each[0]);
  }
} catch (const std::exception& error) {
  state.SkipWithError(error.what());
}

constexpr Work k_access{
    .kind = "access", .threads = 1, .per_execution = 20000, .executions = 4000, .alone = 50000000};
constexpr Work k_atomic{
    .kind = "atomic", .threads = 1, .per_execution = 5000, .executions = 2000, .alone = 20000000};
constexpr Work k_atomic_chosen{
    .kind = "atomic", .threads = 2, .per_execution = 2500, .executions = 2000, .alone = 10000000};
constexpr Work k_mutex{
    .kind = "mutex", .threads = 1, .per_execution = 5000, .executions = 2000, .alone = 20000000};
constexpr Work k_notify{
    .kind = "notify", .threads = 1, .per_execution = 5000, .executions = 2000, .alone = 20000000};
// They make descriptors and close them, with system calls that a restore takes back.
constexpr Work k_pipe{.kind = "pipe", .threads = 1, .per_execution = 200, .executions = 300, .alone = 50000};
constexpr Work k_socketpair{
    .kind = "socketpair", .threads = 1, .per_execution = 200, .executions = 300, .alone = 50000};
constexpr Work k_eventfd{
    .kind = "eventfd", .threads = 1, .per_execution = 200, .executions = 300, .alone = 50000};
constexpr Work k_open{.kind = "open", .threads = 1, .per_execution = 200, .executions = 300, .alone = 50000};

} // namespace

#define REEX_BENCHMARK(registered, name)                                                                     \
  registered->Name("operation/" name)->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond)

REEX_BENCHMARK(BENCHMARK_CAPTURE(operation, access, k_access), "access");
REEX_BENCHMARK(BENCHMARK(call), "call");
REEX_BENCHMARK(BENCHMARK_CAPTURE(operation, atomic, k_atomic), "atomic_one_thread");
REEX_BENCHMARK(BENCHMARK_CAPTURE(operation, atomic_chosen, k_atomic_chosen), "atomic_two_threads");
REEX_BENCHMARK(BENCHMARK_CAPTURE(after_clock, atomic, k_atomic), "atomic_after_clock");
REEX_BENCHMARK(BENCHMARK_CAPTURE(after_clock, two_threads, k_atomic_chosen),
               "atomic_after_clock_two_threads");
REEX_BENCHMARK(BENCHMARK_CAPTURE(operation, mutex, k_mutex), "mutex_pair");
REEX_BENCHMARK(BENCHMARK_CAPTURE(operation, notify, k_notify), "notify");
REEX_BENCHMARK(BENCHMARK_CAPTURE(operation, pipe, k_pipe), "pipe");
REEX_BENCHMARK(BENCHMARK_CAPTURE(operation, socketpair, k_socketpair), "socketpair");
REEX_BENCHMARK(BENCHMARK_CAPTURE(operation, eventfd, k_eventfd), "eventfd");
REEX_BENCHMARK(BENCHMARK_CAPTURE(operation, open, k_open), "open");
REEX_BENCHMARK(BENCHMARK(context_switch), "context_switch");
