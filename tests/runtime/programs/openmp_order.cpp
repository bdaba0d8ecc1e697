// What orders the threads of OpenMP, and what does not: the scenarios whose names begin with `race` have a
// data race.
#include <omp.h>

#include "scenario.h"

namespace {

int shared = 0;
int part[4] = {};
int copied = 0;
omp_lock_t lock;

void region() {
#pragma omp parallel num_threads(2)
  part[omp_get_thread_num()] = 1;
  shared = part[0] + part[1];
#pragma omp parallel num_threads(2)
  part[omp_get_thread_num()] += shared;
}

void each_reads_after_a_barrier() {
#pragma omp parallel num_threads(2)
  {
    part[omp_get_thread_num()] = 1;
#pragma omp barrier
    part[2 + omp_get_thread_num()] = part[1 - omp_get_thread_num()];
  }
}

void critical() {
#pragma omp parallel num_threads(2)
  {
#pragma omp critical
    ++shared;
#pragma omp critical(named)
    ++copied;
  }
}

void locks() {
  omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
  {
    omp_set_lock(&lock);
    ++shared;
    omp_unset_lock(&lock);
    if (omp_test_lock(&lock) != 0) {
      ++shared;
      omp_unset_lock(&lock);
    }
  }
}

void single() {
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    shared = 1;
    part[omp_get_thread_num()] = shared;
  }
}

void single_copies() {
  int value = 0;
#pragma omp parallel num_threads(2) private(value)
  {
#pragma omp single copyprivate(value)
    value = 5;
    part[omp_get_thread_num()] = value;
  }
}

void loops() {
#pragma omp parallel num_threads(2)
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 4; ++i) part[i] = i;
#pragma omp for schedule(guided)
    for (int i = 0; i < 4; ++i) part[3 - i] += i;
  }
}

void ordered() {
#pragma omp parallel for ordered num_threads(2)
  for (int i = 0; i < 3; ++i) {
#pragma omp ordered
    shared += i;
  }
}

void sections() {
#pragma omp parallel num_threads(2)
  {
#pragma omp sections
    {
#pragma omp section
      part[0] = 1;
#pragma omp section
      part[1] = 1;
    }
    part[2 + omp_get_thread_num()] = part[0] + part[1];
  }
}

void tasks() {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    shared = 1;
    for (int i = 0; i < 2; ++i) {
#pragma omp task firstprivate(i)
      part[i] = shared;
    }
#pragma omp taskwait
    copied = part[0] + part[1];
  }
}

void groups() {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp task
      part[0] = 1;
    }
    copied = part[0];
#pragma omp taskloop num_tasks(2)
    for (int i = 0; i < 2; ++i) part[i] = i;
    copied = part[0] + part[1];
  }
}

void dependences() {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(out : shared)
    shared = 1;
#pragma omp task depend(in : shared)
    copied = shared;
#pragma omp task depend(in : shared)
    part[0] = shared;
#pragma omp task depend(inout : shared)
    ++shared;
#pragma omp task depend(mutexinoutset : shared)
    ++shared;
#pragma omp task depend(mutexinoutset : shared)
    ++shared;
#pragma omp taskwait depend(in : shared)
    copied += shared;
  }
}

// The compiler copies what a reference refers to by a function.
void create_with_copy(int& value) {
#pragma omp task firstprivate(value)
  part[value] = value;
}

void tasks_that_end_with_the_region() {
#pragma omp parallel num_threads(2)
#pragma omp single nowait
  for (int i = 0; i < 3; ++i) create_with_copy(i);
  copied = part[0] + part[1] + part[2];
}

void target() {
#pragma omp target map(tofrom : shared) nowait depend(out : shared)
#pragma omp parallel num_threads(2)
  {
#pragma omp critical
    ++shared;
  }
#pragma omp taskwait
  copied = shared;
}

void race_on_target() {
#pragma omp target map(tofrom : shared)
#pragma omp parallel num_threads(2)
  ++shared;
}

void race_beside_dependences() {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(out : part[0])
    part[0] = 1;
#pragma omp task depend(out : part[1])
    part[1] = 1;
#pragma omp task depend(in : part[0])
    shared += part[0];
#pragma omp task depend(in : part[1])
    shared += part[1];
  }
}

void race_without_critical() {
#pragma omp parallel num_threads(2)
  ++shared;
}

void race_between_sections_of_other_names() {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
#pragma omp critical(one)
      ++shared;
    } else {
#pragma omp critical(other)
      ++shared;
    }
  }
}

void race_without_barrier() {
#pragma omp parallel num_threads(2)
  {
#pragma omp for nowait
    for (int i = 0; i < 2; ++i) part[i] = 1;
    part[2 + omp_get_thread_num()] = part[1 - omp_get_thread_num()];
  }
}

void race_in_a_loop() {
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < 3; ++i) part[i] = part[i + 1] + 1;
}

void race_with_a_task() {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task
    shared = 1;
    copied = shared;
  }
}

void race_of_a_taskloop() {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop
  for (int i = 0; i < 4; ++i) ++shared;
}

void race_of_tasks() {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task
    ++shared;
#pragma omp task
    ++shared;
  }
}

constexpr Scenario k_scenarios[] = {
    {"region", region},
    {"each_reads_after_a_barrier", each_reads_after_a_barrier},
    {"critical", critical},
    {"locks", locks},
    {"single", single},
    {"single_copies", single_copies},
    {"loops", loops},
    {"ordered", ordered},
    {"sections", sections},
    {"tasks", tasks},
    {"groups", groups},
    {"dependences", dependences},
    {"tasks_that_end_with_the_region", tasks_that_end_with_the_region},
    {"target", target},
    {"race_on_target", race_on_target},
    {"race_without_critical", race_without_critical},
    {"race_between_sections_of_other_names", race_between_sections_of_other_names},
    {"race_without_barrier", race_without_barrier},
    {"race_in_a_loop", race_in_a_loop},
    {"race_with_a_task", race_with_a_task},
    {"race_of_tasks", race_of_tasks},
    {"race_of_a_taskloop", race_of_a_taskloop},
    {"race_beside_dependences", race_beside_dependences},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
