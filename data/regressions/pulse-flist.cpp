// Three threads take a pointer from a list and put it back.
extern "C" {
#include <pulsecore/flist.h>
#include <pulsecore/log.h>
#include <pulsecore/ratelimit.h>
}

#include <cassert>
#include <cstdlib>
#include <cstring>
#include <thread>

extern "C" {
void* pa_xmalloc(size_t size) { return malloc(size); }
void* pa_xmalloc0(size_t size) { return calloc(1, size); }
char* pa_xstrdup(const char* text) { return strdup(text); }
void pa_xfree(void* block) { free(block); }
pa_bool_t pa_log_ratelimit(pa_log_level_t) { return 0; }
void pa_log_level_meta(pa_log_level_t, const char*, int, const char*, const char*, ...) {}
}

int main() {
  pa_flist* const list = pa_flist_new(3);
  int first = 0, second = 0;
  pa_flist_push(list, &first);
  pa_flist_push(list, &second);
  const auto use = [=] {
    if (void* const one = pa_flist_pop(list)) assert(pa_flist_push(list, one) == 0);
  };
  std::thread one(use), two(use), three(use);
  one.join();
  two.join();
  three.join();
  void* const last = pa_flist_pop(list);
  void* const other = pa_flist_pop(list);
  assert(last != nullptr && other != nullptr && last != other);
  assert(pa_flist_pop(list) == nullptr);
  pa_flist_free(list, nullptr);
}
