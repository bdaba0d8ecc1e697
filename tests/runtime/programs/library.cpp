// Compiled without instrumentation, for mixed.cpp.
#include <pthread.h>

namespace {
pthread_mutex_t g_mutex = PTHREAD_MUTEX_INITIALIZER;
}

extern "C" __attribute__((visibility("default"))) int library_count(int* value) {
  pthread_mutex_lock(&g_mutex);
  ++*value;
  pthread_mutex_unlock(&g_mutex);
  return *value; // so that the last call is not a tail call
}
