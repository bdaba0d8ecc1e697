// Two threads come to what is to be done once.
extern "C" {
#include <pulsecore/once.h>
}

#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>

extern "C" {
void* pa_xmalloc(size_t size) { return malloc(size); }
void* pa_xmalloc0(size_t size) { return calloc(1, size); }
void pa_xfree(void* block) { free(block); }
void pa_log_level_meta(pa_log_level_t, const char*, int, const char*, const char*, ...) {}
}

int main() {
  static pa_once once;
  std::atomic<int> runs{0};
  const auto come = [&] {
    if (!pa_once_begin(&once)) return;
    ++runs;
    pa_once_end(&once);
  };
  std::thread other(come);
  come();
  other.join();
  assert(runs == 1);
}
