// A variable of a generated program whose operations are inline assembly: each is a visible operation
// (reex/hooks/assembler/users_assembly.h).
#pragma once

namespace stored {

struct Assembled {
  int value;

  int load() const {
    int result;
    asm volatile("movl %1, %0" : "=r"(result) : "m"(value) : "memory");
    return result;
  }
  void store(int desired) { asm volatile("xchgl %0, %1" : "+r"(desired), "+m"(value) : : "memory"); }
  int fetch_add(int increment) {
    asm volatile("lock xaddl %0, %1" : "+r"(increment), "+m"(value) : : "memory", "cc");
    return increment;
  }
  int exchange(int desired) {
    asm volatile("xchgl %0, %1" : "+r"(desired), "+m"(value) : : "memory");
    return desired;
  }
  bool compare_exchange_strong(int& expected, int desired) {
    const int wanted = expected;
    asm volatile("lock cmpxchgl %2, %1" : "+a"(expected), "+m"(value) : "r"(desired) : "memory", "cc");
    return expected == wanted;
  }
};

} // namespace stored
