// A preloaded library that takes the place of the runtime. It defines a few symbols of the hooks library, and
// prints at the end whether they were called. This shows that the symbols of a preloaded library take
// precedence.
#include <atomic>
#include <cstdio>

namespace {
std::atomic<unsigned> g_entries, g_atomics;
}

extern "C" void __tsan_func_entry(void*) { ++g_entries; }
extern "C" int __tsan_atomic32_fetch_add(volatile int* object, int value, int) {
  ++g_atomics;
  return __atomic_fetch_add(object, value, __ATOMIC_SEQ_CST);
}

__attribute__((destructor)) static void tell() {
  std::fprintf(stderr, "counted: %s\n", g_entries > 0 && g_atomics > 0 ? "yes" : "no");
}
