// OpenMP's constructs that wait, compiled by g++. libgomp makes its futex calls itself.
#include <omp.h>

#include "scenario.h"

namespace {

void sum() {
  int total = 0;
#pragma omp parallel for reduction(+ : total) num_threads(3)
  for (int i = 0; i < 30; ++i) total += i;
  std::printf("%d\n", total);
}

void team() {
  int entered = 0;
  int seen = 0;
  int tasks = 0;
#pragma omp parallel num_threads(3)
  {
#pragma omp critical
    ++entered;
#pragma omp barrier
#pragma omp single
    seen = entered;
#pragma omp single
    {
      for (int i = 0; i < 3; ++i) {
#pragma omp task
        {
#pragma omp critical
          ++tasks;
        }
      }
#pragma omp taskwait
    }
  }
  std::printf("%d %d\n", seen, tasks);
}

// The first thread prints while it holds the lock; meanwhile the other thread may have to wait for it.
void lock() {
  omp_lock_t lock;
  omp_init_lock(&lock);
  int count = 0;
#pragma omp parallel num_threads(2)
  {
    omp_set_lock(&lock);
    ++count;
    std::printf("in\n");
    omp_unset_lock(&lock);
  }
  std::printf("%d\n", count);
}

constexpr Scenario k_scenarios[] = {{"sum", sum}, {"team", team}, {"lock", lock}};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
