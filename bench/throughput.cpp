// Executions per second of one small test: with restore, with fork, and as plain runs of the program; for
// each strategy; and the cost of a test before its first execution.
#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include <benchmark/benchmark.h>

#include "bench/measure.h"

namespace {

using namespace reex;
using namespace reex::bench;

constexpr std::uint64_t k_headline = 300000;
constexpr std::uint64_t k_restored = 100000;
constexpr std::uint64_t k_forked = 1000;
constexpr std::uint64_t k_plain = 500;
constexpr std::uint64_t k_by_strategy = 100000;

Program plain_program() { return {.binary = REEX_BENCH_MUTEX_PAIR, .arguments = {}, .test_name = ""}; }
Program gtest_program() {
  return {.binary = REEX_BENCH_MUTEX_GTEST, .arguments = {}, .test_name = "Mutex.TwoThreads"};
}
// With twelve pairs, there are enough schedules for a systematic search.
Program longer_program() { return {.binary = REEX_BENCH_MUTEX_PAIR, .arguments = {"12"}, .test_name = ""}; }
Program notification_program() {
  return {.binary = REEX_BENCH_NOTIFICATION, .arguments = {"12"}, .test_name = ""};
}

Program event_loop_program() { return {.binary = REEX_BENCH_EVENT_LOOP, .arguments = {}, .test_name = ""}; }

Program crowd_program() { return {.binary = REEX_BENCH_CROWD, .arguments = {}, .test_name = ""}; }

Program chain_program() { return {.binary = REEX_BENCH_CHAIN, .arguments = {}, .test_name = ""}; }

// The speed for a user: the time is that of the whole process, from its start to its end.
void headline(benchmark::State& state, const Program& program) {
  const ExploreOptions options = options_for(program);
  ExploreOptions without_races = options;
  without_races.races = Races::off;
  for ([[maybe_unused]] const auto once : state) {
    std::vector<double> of_cpu;
    const auto per_second =
        take_turns({[&] {
                      const Sample sample = run_explored(options, scaled(k_headline));
                      if (sample.isolation != "restore")
                        throw std::runtime_error("not restored: " + sample.isolation_reason);
                      const auto executions = static_cast<double>(sample.executions);
                      of_cpu.push_back(executions / sample.cpu_seconds);
                      return executions / sample.seconds;
                    },
                    [&] {
                      const Sample sample = run_explored(without_races, scaled(k_headline));
                      return static_cast<double>(sample.executions) / sample.seconds;
                    }});
    state.counters["per_s"] = median(per_second[0]);
    state.counters["races_off_per_s"] = median(per_second[1]);
    state.counters["best_per_s"] = *std::max_element(per_second[0].begin(), per_second[0].end());
    state.counters["per_cpu_s"] = median(of_cpu);
  }
}

void isolation(benchmark::State& state, const Program& program) {
  ExploreOptions restoring = options_for(program);
  restoring.isolation = Isolation::restore;
  ExploreOptions forking = restoring;
  forking.isolation = Isolation::fork;
  std::vector<double> cpu[3]; // seconds of the processor, in addition to those of the clock
  const auto explored = [&](int variant, const ExploreOptions& options, std::uint64_t schedules) {
    const Sample many = run_explored(options, scaled(schedules));
    const Sample single = run_explored(options, 1);
    cpu[variant].push_back(cpu_seconds_each(many, single));
    return seconds_each(many, single);
  };
  const auto by_itself = [&] {
    const Sample sample = run_plainly(program, scaled(k_plain));
    cpu[2].push_back(sample.cpu_seconds / static_cast<double>(sample.executions));
    return sample.seconds / static_cast<double>(sample.executions);
  };
  for ([[maybe_unused]] const auto once : state) {
    const auto each = take_turns({[&] { return explored(0, restoring, k_restored); },
                                  [&] { return explored(1, forking, k_forked); }, by_itself});
    state.counters["restore_per_s"] = 1 / median(each[0]);
    state.counters["fork_per_s"] = 1 / median(each[1]);
    state.counters["plain_per_s"] = 1 / median(each[2]);
    state.counters["restore_by_fork"] = median_ratio(each[1], each[0]);
    state.counters["restore_by_plain"] = median_ratio(each[2], each[0]);
    state.counters["restore_by_fork_cpu"] = median_ratio(cpu[1], cpu[0]);
    state.counters["restore_by_plain_cpu"] = median_ratio(cpu[2], cpu[0]);
  }
}

// The strategies and the change-aware order on the same test. The change is invented: every second line is
// impacted.
void strategies(benchmark::State& state, const Program& program) {
  const auto variant = [&](SearchStrategy strategy, const char* heuristic) {
    ExploreOptions options = options_for(program);
    options.strategy = strategy;
    options.heuristic = heuristic;
    if (*heuristic != '\0')
      options.frame_bits = [](const Frame& frame) {
        return static_cast<std::uint8_t>(frame.line % 2 == 0 ? 15 : 0);
      };
    return [options] {
      return cpu_seconds_each(run_explored(options, scaled(k_by_strategy)), run_explored(options, 1)) * 1e6;
    };
  };
  for ([[maybe_unused]] const auto once : state) {
    const auto each = take_turns({variant(SearchStrategy::random, ""), variant(SearchStrategy::dfs, ""),
                                  variant(SearchStrategy::icb, ""), variant(SearchStrategy::icb, "LOA")});
    state.counters["random_us"] = median(each[0]);
    state.counters["dfs_us"] = median(each[1]);
    state.counters["icb_us"] = median(each[2]);
    state.counters["icb_LOA_us"] = median(each[3]);
    state.counters["LOA_by_icb"] = median_ratio(each[3], each[2]);
  }
}

// The audit of the reduction: the same schedules, with what is drawn and without.
void audit(benchmark::State& state, const Program& program) {
  const auto variant = [&](std::uint32_t one_in) {
    ExploreOptions options = options_for(program);
    options.strategy = SearchStrategy::icb;
    options.audit = one_in;
    return [options] {
      return cpu_seconds_each(run_explored(options, scaled(k_by_strategy)), run_explored(options, 1)) * 1e6;
    };
  };
  for ([[maybe_unused]] const auto once : state) {
    const auto each = take_turns({variant(64), variant(0)});
    state.counters["on_us"] = median(each[0]);
    state.counters["off_us"] = median(each[1]);
    state.counters["on_by_off"] = median_ratio(each[0], each[1]);
  }
}

// Schedules that are followed in memory (reex/runtime/schedule/foresight.h): the same schedules, with and
// without. What is cut short is part of the time. `chain` is explored whole.
void foresight(benchmark::State& state, const Program& program) {
  const bool whole = program.binary == REEX_BENCH_CHAIN;
  const auto variant = [&](const char* use) {
    ExploreOptions options = options_for(program);
    options.strategy = SearchStrategy::icb;
    options.audit = 0;
    return [options, use, whole] {
      setenv("REEX_FORESIGHT", use, 1); // inherited by the test
      const Sample sample = whole ? run_to_end(options) : run_explored(options, scaled(k_by_strategy));
      return cpu_seconds_each(sample, run_explored(options, 1)) * 1e6;
    };
  };
  for ([[maybe_unused]] const auto once : state) {
    const auto each = take_turns({variant("on"), variant("off")});
    state.counters["on_us"] = median(each[0]);
    state.counters["off_us"] = median(each[1]);
    state.counters["on_by_off"] = median_ratio(each[0], each[1]);
  }
  unsetenv("REEX_FORESIGHT");
}

// What a visible operation costs beside 64 threads, against one beside two. The executions have the same
// number of additions.
void crowd(benchmark::State& state, const Program& program) {
  static constexpr unsigned k_additions = 6400;
  constexpr std::uint64_t k_executions = 300;
  const auto variant = [&](SearchStrategy strategy, const char* threads) {
    ExploreOptions options = options_for(program);
    options.arguments = {threads, std::to_string(k_additions)};
    options.strategy = strategy;
    return [options] {
      const Sample single = run_explored(options, 1);
      return cpu_seconds_each(run_explored(options, scaled(k_executions)), single) * 1e6 / k_additions;
    };
  };
  for ([[maybe_unused]] const auto once : state)
    for (const SearchStrategy strategy :
         {SearchStrategy::random, SearchStrategy::pct, SearchStrategy::surw, SearchStrategy::icb}) {
      const std::string name(row_of(strategy).name);
      const auto each = take_turns({variant(strategy, "2"), variant(strategy, "64")});
      state.counters[name + "_us"] = median(each[0]);
      state.counters[name + "_64_by_2"] = median_ratio(each[1], each[0]);
    }
}

// explore() with a single execution: the start of the process, its first snapshot, and its end.
void start(benchmark::State& state, const Program& program) {
  const ExploreOptions options = options_for(program);
  for ([[maybe_unused]] const auto once : state) {
    const auto each = take_turns({[&] { return run_explored(options, 1).seconds; },
                                  [&] { return run_explored(options, 1).cpu_seconds; },
                                  [&] { return run_plainly(program, 1).seconds; }});
    state.counters["wall_ms"] = median(each[0]) * 1e3;
    state.counters["cpu_ms"] = median(each[1]) * 1e3;
    state.counters["plain_ms"] = median(each[2]) * 1e3;
  }
}

using Body = void (*)(benchmark::State&, const Program&);

void guarded(benchmark::State& state, Body body, const Program& program) {
  try {
    body(state, program);
  } catch (const std::exception& error) {
    state.SkipWithError(error.what());
  }
}

} // namespace

#define REEX_BENCHMARK(body, program)                                                                        \
  BENCHMARK_CAPTURE(guarded, body##_##program, body, program##_program())                                    \
      ->Name(#body "/" #program)                                                                             \
      ->Iterations(1)                                                                                        \
      ->UseRealTime()                                                                                        \
      ->Unit(benchmark::kMillisecond)

REEX_BENCHMARK(headline, plain);
REEX_BENCHMARK(headline, gtest);
REEX_BENCHMARK(isolation, plain);
REEX_BENCHMARK(isolation, gtest);
REEX_BENCHMARK(isolation, event_loop);
REEX_BENCHMARK(strategies, longer);
REEX_BENCHMARK(strategies, notification);
REEX_BENCHMARK(audit, longer);
REEX_BENCHMARK(audit, notification);
REEX_BENCHMARK(foresight, chain);
REEX_BENCHMARK(foresight, longer);
REEX_BENCHMARK(foresight, notification);
REEX_BENCHMARK(crowd, crowd);
REEX_BENCHMARK(start, plain);
REEX_BENCHMARK(start, gtest);
