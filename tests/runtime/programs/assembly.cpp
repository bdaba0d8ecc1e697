// Threads that talk by atomic instructions of inline assembly. Between directives that choose it gets no
// hooks.
#include <cassert>
#include <thread>

#include "scenario.h"

namespace {

int g_word = 0;
int g_value = 0;

int add(int* word, int value) {
  asm volatile(".if 1; lock; xaddl %0, %1; .endif" : "+r"(value), "+m"(*word) : : "memory");
  return value;
}
int exchange(int* word, int value) {
  asm volatile(".if 1; xchgl %0, %1; .endif" : "+r"(value), "+m"(*word) : : "memory");
  return value;
}

// Fails where the second thread comes first.
void first() {
  std::thread one([] { add(&g_word, 1); });
  std::thread two([] { assert(add(&g_word, 1) == 1); });
  one.join();
  two.join();
}

// The lock is free whenever a thread stops: no other one spins.
void guarded() {
  const auto work = [] {
    while (exchange(&g_word, 1) != 0) {
    }
    ++g_value;
    exchange(&g_word, 0);
  };
  std::thread one(work), two(work);
  one.join();
  two.join();
}

} // namespace

int main(int count, char** arguments) {
  const Scenario scenarios[] = {{"first", first}, {"guarded", guarded}};
  return run_scenario(scenarios, count, arguments);
}
