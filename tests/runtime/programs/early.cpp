// A library with a constructor that synchronizes before all other constructors run.
#include <pthread.h>

namespace {

pthread_mutex_t g_mutex = PTHREAD_MUTEX_INITIALIZER;
int g_made = 0;

__attribute__((constructor)) void make() {
  pthread_mutex_lock(&g_mutex);
  ++g_made;
  pthread_mutex_unlock(&g_mutex);
}

} // namespace

extern "C" __attribute__((visibility("default"))) int early_made() { return g_made; }
