// Compiled without instrumentation, for mixed.cpp: as a library and as an object file.
#include <atomic>

#include <pthread.h>
#include <sched.h>

namespace {
pthread_mutex_t g_mutex = PTHREAD_MUTEX_INITIALIZER;
std::atomic<int> g_tickets{0};
std::atomic<bool> g_open{false};
} // namespace

extern "C" __attribute__((visibility("default"))) int library_count(int* value) {
  pthread_mutex_lock(&g_mutex);
  ++*value;
  pthread_mutex_unlock(&g_mutex);
  return *value; // so that the last call is not a tail call
}

extern "C" __attribute__((visibility("default"))) int library_ticket() { return ++g_tickets; }

extern "C" __attribute__((visibility("default"))) void library_open() { g_open = true; }

extern "C" __attribute__((visibility("default"))) void library_wait() {
  while (!g_open) sched_yield();
}
