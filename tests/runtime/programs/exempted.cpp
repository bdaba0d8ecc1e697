// Threads that talk by functions that are exempted from -fsanitize=thread. reex's assembler gives these hooks
// (with g++).
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

#include "scenario.h"

namespace {

#define EXEMPTED __attribute__((noinline, no_sanitize("thread")))

int g_word = 0;
int g_value = 0;
double g_number = 0;
std::atomic<int> g_value_of_all{0};
std::mutex g_mutex;

EXEMPTED int load(const volatile int* word) { return *word; }
EXEMPTED void store(volatile int* word, int value) { *word = value; }
EXEMPTED int load_global() { return g_word; }
EXEMPTED void store_global(int value) { g_word = value; }
EXEMPTED double load_number(const volatile double* number) { return *number; }
EXEMPTED void store_number(volatile double* number, double value) { *number = value; }
EXEMPTED int exchange(int* word, int value) { return __atomic_exchange_n(word, value, __ATOMIC_SEQ_CST); }
EXEMPTED bool replace(int* word, int expected, int value) {
  return __atomic_compare_exchange_n(word, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
EXEMPTED int sum_of(const volatile int* words, int count) { // calls and loops of its own
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += load(words + i);
  return sum;
}

template <class Work>
void twice(const Work& work) {
  std::thread one(work), two(work);
  one.join();
  two.join();
}

void loses() { // an update
  twice([] { store(&g_word, load(&g_word) + 1); });
  assert(g_word == 2);
}
void loses_globally() {
  twice([] { store_global(load_global() + 1); });
  assert(g_word == 2);
}
void loses_a_number() {
  twice([] { store_number(&g_number, load_number(&g_number) + 1); });
  assert(g_number == 2);
}
void publishes() {
  std::thread one([] {
    g_value = 1;
    store(&g_word, 1);
  });
  while (load(&g_word) == 0) {
  }
  assert(g_value == 1);
  one.join();
}
void waits_in_vain() {
  std::thread one([] {
    while (load(&g_word) == 0) {
    }
  });
  one.join();
}
void locks() {
  twice([] {
    while (exchange(&g_word, 1) != 0) {
    }
    ++g_value;
    store(&g_word, 0);
  });
  assert(g_value == 2);
}
void replaces() {
  twice([] {
    while (!replace(&g_word, 0, 1)) {
    }
    ++g_value;
    store(&g_word, 0);
  });
  assert(g_value == 2);
}
// The race is one that whoever exempts a function expects.
void looks_meanwhile() {
  std::thread one([] {
    for (int i = 0; i < 2; ++i) {
      const std::lock_guard<std::mutex> lock(g_mutex);
      ++g_value;
    }
  });
  assert(load(&g_value) <= 2);
  one.join();
  assert(load(&g_value) == 2);
}
// What is read there lies between two plain writes of one thread.
void sees_between() {
  std::thread one([] {
    volatile int* const value = &g_value;
    *value = 1;
    *value = 2;
  });
  assert(load(&g_value) != 1);
  one.join();
}
void sums() {
  int words[2] = {0, 0};
  std::thread one([&] { store(words, 1); });
  store(words + 1, 1);
  one.join();
  assert(sum_of(words, 2) == 2);
}

// One that is exempted to be fast.
volatile char g_large[100000];
EXEMPTED int sum_of_all() {
  int sum = 0;
  for (const volatile char& byte : g_large) sum += byte;
  return sum;
}
void sums_a_lot() {
  twice([] { assert(sum_of_all() == 0); });
}
void sums_a_lot_alone() {
  twice([] { ++g_value_of_all; });
  assert(sum_of_all() == 0);
}

// Nothing that others may change.

const int k_digits[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
__attribute__((noinline)) int digit(unsigned at) { return k_digits[at % 16]; }

struct Base {
  virtual ~Base() = default;
  virtual int get() const { return 1; }
};
struct Left : virtual Base {
  int get() const override { return 2; }
};
struct Right : virtual Base {};
struct Both : Left, Right {};

void reads_constants() {
  twice([] {
    const Both both;
    const Base& base = both;
    for (unsigned i = 0; i < 20; ++i) assert(digit(i) < 10);
    assert(base.get() == 2);
  });
}

} // namespace

int main(int count, char** arguments) {
  const Scenario scenarios[] = {{"loses", loses},
                                {"loses_globally", loses_globally},
                                {"loses_a_number", loses_a_number},
                                {"publishes", publishes},
                                {"waits_in_vain", waits_in_vain},
                                {"locks", locks},
                                {"replaces", replaces},
                                {"looks_meanwhile", looks_meanwhile},
                                {"sees_between", sees_between},
                                {"sums", sums},
                                {"sums_a_lot", sums_a_lot},
                                {"sums_a_lot_alone", sums_a_lot_alone},
                                {"reads_constants", reads_constants}};
  return run_scenario(scenarios, count, arguments);
}
