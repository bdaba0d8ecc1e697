#include "reex/runtime/threads/keys.h"

#include <cerrno>
#include <cstring>
#include <pthread.h>

#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/buffers.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/shared/hidden_objects.h"

namespace reex {
namespace {

constexpr unsigned k_keys = PTHREAD_KEYS_MAX;
constexpr unsigned k_rounds = PTHREAD_DESTRUCTOR_ITERATIONS;

struct Key {
  bool used;
  void (*destructor)(void*);
};

Key g_keys[k_keys];
Key g_keys_snapshot[k_keys];
unsigned g_keys_end = 0; // all keys in use lie below
unsigned g_keys_end_snapshot = 0;
void* g_values[k_max_threads][k_keys]; // by slot
void* g_main_snapshot[k_keys];

void* keys_object() { return reinterpret_cast<void*>(hidden_object(Hidden::keys)); }

void* clear(void*& value) {
  void* before = value;
  value = nullptr;
  return before;
}

} // namespace

void run_key_destructors() {
  void** values = g_values[g.current->slot];
  for (unsigned round = 0; round < k_rounds; ++round) {
    bool any = false;
    for (unsigned key = 0; key < g_keys_end; ++key) {
      if (values[key] == nullptr || !g_keys[key].used || g_keys[key].destructor == nullptr) continue;
      any = true;
      g_keys[key].destructor(clear(values[key]));
    }
    if (!any) return;
  }
}

void clear_values(const Fiber& created) {
  // A masked store of nothing into a page that was never touched takes hundreds of cycles.
  if (g_keys_end != 0) memset(g_values[created.slot], 0, g_keys_end * sizeof(void*));
}

void snapshot_keys() {
  memcpy(g_keys_snapshot, g_keys, sizeof g_keys);
  memcpy(g_main_snapshot, g_values[0], sizeof g_main_snapshot);
  g_keys_end_snapshot = g_keys_end;
}

void restore_keys() {
  if (g_keys_end == 0) return;
  memcpy(g_values[0], g_main_snapshot, g_keys_end * sizeof(void*));
  memcpy(g_keys, g_keys_snapshot, g_keys_end * sizeof(Key));
  g_keys_end = g_keys_end_snapshot;
}

} // namespace reex

using namespace reex;

REEX_EXPORT int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) noexcept {
  will_write_buffer(key, REEX_CALLER);
  if (!is_alone()) REEX_POINT(Operation::library_write, keys_object());
  for (unsigned i = 0; i < k_keys; ++i) {
    if (g_keys[i].used) continue;
    g_keys[i] = {true, destructor};
    for (unsigned slot = 0; slot < g.fibers; ++slot) g_values[slot][i] = nullptr;
    if (i >= g_keys_end) g_keys_end = i + 1;
    *key = i;
    writes_object(key, REEX_CALLER);
    return 0;
  }
  return EAGAIN;
}

REEX_EXPORT int pthread_key_delete(pthread_key_t key) noexcept {
  if (!is_alone()) REEX_POINT(Operation::library_write, keys_object());
  if (key >= k_keys || !g_keys[key].used) return EINVAL;
  g_keys[key].used = false;
  return 0;
}

REEX_EXPORT int pthread_setspecific(pthread_key_t key, const void* value) noexcept {
  if (key >= k_keys || !g_keys[key].used) return EINVAL;
  g_values[g.current == nullptr ? 0 : g.current->slot][key] = const_cast<void*>(value);
  return 0;
}

REEX_EXPORT void* pthread_getspecific(pthread_key_t key) noexcept {
  return key < k_keys && g_keys[key].used ? g_values[g.current == nullptr ? 0 : g.current->slot][key]
                                          : nullptr;
}
