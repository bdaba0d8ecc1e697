// A library for plugins.cpp, in three shapes: PLUGIN_ASSEMBLY takes its numbers by inline assembly,
// PLUGIN_PLAIN is compiled without instrumentation.
#include <atomic>
#include <cassert>

namespace {

#ifdef PLUGIN_ASSEMBLY
int g_next = 0;

int take_number() {
  int number = 1;
  asm volatile("lock; xaddl %0, %1" : "+r"(number), "+m"(g_next) : : "memory");
  return number;
}
#else
std::atomic<int> g_next{0};

int take_number() { return g_next++; }
#endif

} // namespace

// Fails where the second thread comes first.
extern "C" __attribute__((visibility("default"))) void plugin_step(int expected) {
  const int number = take_number();
  assert(number == expected);
}
