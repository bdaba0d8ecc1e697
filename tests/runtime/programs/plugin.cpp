// A library for plugins.cpp, in four shapes: PLUGIN_ASSEMBLY takes its numbers by inline assembly,
// PLUGIN_PLAIN is compiled without instrumentation, PLUGIN_DYNAMIC has other storage of threads.
#include <atomic>
#include <cassert>
#include <cstdlib>

#include <pthread.h>

namespace {

#ifdef PLUGIN_ASSEMBLY
int g_next = 0;

int take_number() {
  int number = 1;
  asm volatile(".if 1; lock; xaddl %0, %1; .endif" : "+r"(number), "+m"(g_next) : : "memory");
  return number;
}
#else
std::atomic<int> g_next{0};

int take_number() { return g_next++; }
#endif

// Storage that is a part of the thread's own, for which one such variable is enough; with PLUGIN_DYNAMIC
// storage that each thread gets as it asks for it.
thread_local int g_asked_for = 3;
#ifndef PLUGIN_DYNAMIC
[[gnu::tls_model("initial-exec")]]
#endif
thread_local int g_own = 40;

} // namespace

// 45 in a new thread.
extern "C" __attribute__((visibility("default"))) int plugin_count() { return ++g_asked_for + ++g_own; }

// Fails where the second thread comes first.
extern "C" __attribute__((visibility("default"))) void plugin_step(int expected) {
  const int number = take_number();
  assert(number == expected);
}

// The handler is gone with the library.
extern "C" __attribute__((visibility("default"))) void plugin_handles_forks() {
  pthread_atfork(abort, nullptr, nullptr);
}
