// Threads that talk by plain moves of inline assembly which gets no hooks, as it moves the stack.
#include <atomic>
#include <cstdio>
#include <thread>

#include "scenario.h"

namespace {

int g_word = 0;

int load(const int* word) {
  int value = 0;
  asm volatile("pushq %%rcx; movl (%1), %0; popq %%rcx" : "=r"(value) : "r"(word) : "memory");
  return value;
}

void store(int* word, int value) {
  asm volatile("pushq %%rcx; movl %0, (%1); popq %%rcx" : : "r"(value), "r"(word) : "memory");
}

void looks() {
  std::thread one([] { __atomic_store_n(&g_word, 1, __ATOMIC_RELEASE); });
  for (int i = 0; i < 3 && load(&g_word) == 0; ++i) {
  }
  one.join();
}

// The last one to store is not seen: what each does to its own word says nothing of it.
void last() {
  static std::atomic<int> own[2];
  const auto work = [](int i) {
    own[i].store(1);
    store(&g_word, i);
    own[i].store(2);
  };
  std::thread one(work, 0), two(work, 1);
  one.join();
  two.join();
  std::printf("%d", load(&g_word));
}

} // namespace

int main(int count, char** arguments) {
  const Scenario scenarios[] = {{"looks", looks}, {"last", last}};
  return run_scenario(scenarios, count, arguments);
}
