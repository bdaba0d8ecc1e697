// What an event of IMUnit costs natively: while no schedule is in force, as in product code, and under one.
#include <benchmark/benchmark.h>

#include <reex/imunit.h>

namespace {

void no_schedule(benchmark::State& state) {
  for ([[maybe_unused]] const auto once : state) {
    REEX_EVENT(somethingHappened);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(no_schedule)->Name("imunit/no_schedule");

void other_schedule(benchmark::State& state) {
  REEX_SCHEDULE("").vacuous_ok();
  for ([[maybe_unused]] const auto once : state) {
    REEX_EVENT(somethingHappened);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(other_schedule)->Name("imunit/not_in_the_schedule");

void in_the_schedule(benchmark::State& state) {
  REEX_SCHEDULE("somethingHappened#9999->last").vacuous_ok();
  for ([[maybe_unused]] const auto once : state) {
    REEX_EVENT(somethingHappened);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(in_the_schedule)->Name("imunit/in_the_schedule");

} // namespace
