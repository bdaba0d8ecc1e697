// Failures that only the line of a check tells apart.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>

#include "scenario.h"

namespace {

std::atomic<int> g_first;

// 1 or 2: the thread that comes first.
int first_of_two() {
  const auto come = [](int id) {
    int nobody = 0;
    g_first.compare_exchange_strong(nobody, id);
  };
  std::thread one(come, 1);
  std::thread two(come, 2);
  one.join();
  two.join();
  return g_first;
}

void two_assertions() {
  const int first = first_of_two();
  assert(first != 1);
  assert(first != 2);
}

// The lines keep the compiler from making one call of two.
#define CHECK(condition)                                                                                     \
  if (!(condition)) {                                                                                        \
    asm volatile("# %0" ::"i"(__LINE__));                                                                    \
    std::abort();                                                                                            \
  }

void two_checks() {
  const int first = first_of_two();
  CHECK(first != 1);
  CHECK(first != 2);
}

constexpr Scenario k_scenarios[] = {{"two_assertions", two_assertions}, {"two_checks", two_checks}};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
