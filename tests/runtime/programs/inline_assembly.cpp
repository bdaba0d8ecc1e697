// Threads that talk by inline assembly alone, which reex's assembler gives hooks (with g++).
#include <cassert>
#include <cstdint>
#include <thread>

#include "scenario.h"

namespace {

int g_word = 0;
int g_value = 0;

int load(const int* word) {
  int value = 0;
  asm volatile("movl %1, %0" : "=r"(value) : "m"(*word) : "memory");
  return value;
}
__attribute__((noinline)) void store(int* word, int value) {
  asm volatile("movl %1, %0" : "=m"(*word) : "r"(value) : "memory");
}
bool replace(int* word, int expected, int value) {
  bool done = false;
  asm volatile("lock\n\tcmpxchgl %3, %0\n\tsete %1"
               : "+m"(*word), "=q"(done), "+a"(expected)
               : "r"(value)
               : "memory", "cc");
  return done;
}
int swapped(int* word, int value) {
  asm volatile("xchg %0, %1" : "+r"(value), "+m"(*word) : : "memory");
  return value;
}
void add_one(int* word) { asm volatile("1: lock; incl %0; jo 1b" : "+m"(*word) : : "memory", "cc"); }
void add_one_plainly(int* word) { asm volatile("incl %0" : "+m"(*word) : : "memory", "cc"); }

template <class Work>
void twice(const Work& work) {
  std::thread one(work), two(work);
  one.join();
  two.join();
}

void counts() {
  twice([] { add_one(&g_word); });
  assert(g_word == 2);
}
void loses() { // an update
  twice([] { store(&g_word, load(&g_word) + 1); });
  assert(g_word == 2);
}
void races() {
  twice([] { add_one_plainly(&g_word); });
}
void exchanges() {
  twice([] {
    while (swapped(&g_word, 1) != 0) asm volatile("rep; nop");
    ++g_value;
    store(&g_word, 0);
  });
  assert(g_value == 2);
}
void replaces() {
  twice([] {
    while (!replace(&g_word, 0, 1))
      while (load(&g_word) != 0) asm volatile("rep; nop");
    ++g_value;
    store(&g_word, 0);
  });
  assert(g_value == 2);
}
// The register says which bit, counted from the first word.
bool set_bit(unsigned* words, int bit) {
  bool was_set = false;
  asm volatile("lock; btsl %2, %0; setc %1" : "+m"(*words), "=q"(was_set) : "r"(bit) : "memory", "cc");
  return was_set;
}
void reset_bit(unsigned* words, long bit) {
  asm volatile("lock; btrq %1, %0"
               : "+m"(*reinterpret_cast<unsigned long*>(words))
               : "r"(bit)
               : "memory", "cc");
}
alignas(8) unsigned g_bits[6] = {};

void locks_bits() {
  twice([] {
    for (const int bit : {3, 101, -1})
      while (set_bit(g_bits + 2, bit)) asm volatile("rep; nop");
    ++g_value;
    for (const long bit : {3, 101, -1}) reset_bit(g_bits + 2, bit);
  });
  assert(g_value == 2);
}
void looks_at_bits() {
  std::thread one([] {
    g_value = 1;
    set_bit(g_bits + 2, 101);
    set_bit(g_bits + 2, -63);
  });
  if (load(reinterpret_cast<int*>(g_bits)) == 2)
    assert(load(reinterpret_cast<int*>(g_bits + 5)) == 32 && g_value == 1);
  one.join();
}
void finds_bits_unset() {
  std::thread one([] { set_bit(g_bits + 2, 101); });
  const int first = load(reinterpret_cast<int*>(g_bits + 5)),
            second = load(reinterpret_cast<int*>(g_bits + 5));
  assert(first == second);
  one.join();
}
void frees_too_early() {
  twice([] {
    while (!replace(&g_word, 0, 1)) {
    }
    store(&g_word, 0);
    ++g_value;
  });
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
// Loops with a counter, in a register that a call need not keep and in one that it keeps.
void waits_a_while() {
  std::thread one([] {
    register long turn asm("r10");
    for (turn = 0; turn < 50; ++turn) {
      asm volatile("" : "+r"(turn));
      if (load(&g_word) != 0) return;
    }
  });
  one.join();
}
void changes_a_while() {
  std::thread one([] {
    register long turn asm("rbx");
    for (turn = 0; turn < 50; ++turn)
      asm volatile("lock; incl %0; lock; decl %0" : "+m"(g_word), "+r"(turn) : : "memory", "cc");
  });
  one.join();
}
std::uint16_t g_next = 0, g_served = 0; // tickets

void take_ticket() {
  std::uint16_t own = 1, served = 0; // own: how many tickets, and then which one
  asm volatile("lock; xaddw %0, %1" : "+r"(own), "+m"(g_next) : : "memory", "cc");
  do {
    asm volatile("movw %1, %0" : "=r"(served) : "m"(g_served) : "memory");
  } while (served != own);
}
void hands_on() { // without a lock: nobody else writes there
  const auto work = [] {
    take_ticket();
    ++g_value;
    asm volatile("incw %0" : "+m"(g_served) : : "memory", "cc");
  };
  std::thread one(work);
  work();
  one.join();
  assert(g_value == 2);
}
void uses_freed_memory() {
  int* const word = new int(0);
  std::thread one([word] { add_one(word); });
  delete word;
  one.join();
}

} // namespace

int main(int count, char** arguments) {
  const Scenario scenarios[] = {{"counts", counts},
                                {"loses", loses},
                                {"races", races},
                                {"exchanges", exchanges},
                                {"replaces", replaces},
                                {"locks_bits", locks_bits},
                                {"looks_at_bits", looks_at_bits},
                                {"finds_bits_unset", finds_bits_unset},
                                {"frees_too_early", frees_too_early},
                                {"publishes", publishes},
                                {"waits_in_vain", waits_in_vain},
                                {"waits_a_while", waits_a_while},
                                {"changes_a_while", changes_a_while},
                                {"hands_on", hands_on},
                                {"uses_freed_memory", uses_freed_memory}};
  return run_scenario(scenarios, count, arguments);
}
