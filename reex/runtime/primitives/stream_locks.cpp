// libc's own locks are taken too, for the functions that look at them. The variables: snapshot_stream_locks
// saves them, restore_stream_locks brings them back.
#include "reex/runtime/primitives/stream_locks.h"

#include <cstdio>

#include "reex/runtime/core/enabled.h"
#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/machine/libc.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/happens_before.h"

namespace reex {
namespace {

constexpr unsigned k_streams = 64;

struct StreamLock {
  const void* stream;
  std::uint16_t holder; // number of the thread
  unsigned count;       // how often the thread has locked it; 0: unused
};

StreamLock g_locks[k_streams];
unsigned g_locked = 0; // all locks in use lie below
StreamLock g_locks_at_start[k_streams];
unsigned g_locked_at_start = 0;

StreamLock* lock_of(const void* stream) {
  for (unsigned i = 0; i < g_locked; ++i)
    if (g_locks[i].count != 0 && g_locks[i].stream == stream) return &g_locks[i];
  return nullptr;
}

StreamLock& unused_lock() {
  for (unsigned i = 0; i < g_locked; ++i)
    if (g_locks[i].count == 0) return g_locks[i];
  if (g_locked == k_streams) refuse("more than 64 streams that are locked at once (flockfile)");
  return g_locks[g_locked++];
}

void take(const void* stream) {
  if (StreamLock* const lock = lock_of(stream); lock != nullptr) {
    ++lock->count;
    return;
  }
  unused_lock() = {stream, g.current->id, 1};
  acquire_from(stream);
}

void give_back(const void* stream) {
  StreamLock* const lock = lock_of(stream);
  if (lock == nullptr || lock->holder != g.current->id || --lock->count != 0) return;
  release_to(stream);
  note_write(const_cast<void*>(stream));
}

// One that another thread has locked; null: there is none.
const void* locked_by_others(const void* stream) {
  for (unsigned i = 0; i < g_locked; ++i) {
    const StreamLock& lock = g_locks[i];
    if (lock.count != 0 && (stream == nullptr || lock.stream == stream) &&
        !stream_is_free_for(*g.current, lock.stream))
      return lock.stream;
  }
  return nullptr;
}

} // namespace

void unlock_streams() {
  for (unsigned i = 0; i < g_locked; ++i)
    for (StreamLock& lock = g_locks[i]; lock.count != 0; --lock.count)
      libc().funlockfile(static_cast<FILE*>(const_cast<void*>(lock.stream)));
}

bool await_stream(const FILE* stream, void* pc, void* frame) {
  bool waited = false;
  while (g.active) {
    const void* const held = locked_by_others(stream);
    if (held == nullptr) break;
    visible(Operation::stream, const_cast<void*>(held), pc, frame);
    fingerprint_fence();
    waited = true;
  }
  return waited;
}

void forget_stream(const FILE* stream) {
  if (StreamLock* const lock = lock_of(stream); lock != nullptr) lock->count = 0;
}

bool stream_is_free_for(const Fiber& fiber, const void* stream) {
  if (g_locked == 0 || g.forked_off) return true; // a child begins with all streams unlocked
  const StreamLock* const lock = lock_of(stream);
  return lock == nullptr || lock->holder == fiber.id;
}

int holder_of_stream(const void* stream) {
  const StreamLock* const lock = lock_of(stream);
  return lock == nullptr ? -1 : lock->holder;
}

void snapshot_stream_locks() {
  for (unsigned i = 0; i < g_locked; ++i) g_locks_at_start[i] = g_locks[i];
  g_locked_at_start = g_locked;
}

void restore_stream_locks() {
  for (unsigned i = 0; i < g_locked; ++i)
    g_locks[i] = i < g_locked_at_start ? g_locks_at_start[i] : StreamLock{};
  g_locked = g_locked_at_start;
}

} // namespace reex

using namespace reex;

// Which operations the lock keeps from running is not told to the reduction: so these are ordered with
// everything.
REEX_EXPORT void flockfile(FILE* stream) noexcept {
  REEX_POINT(Operation::stream, stream);
  fingerprint_fence();
  take(stream);
  libc().flockfile(stream);
}

REEX_EXPORT int ftrylockfile(FILE* stream) noexcept {
  REEX_POINT(Operation::library_write, stream);
  fingerprint_fence();
  if (!stream_is_free_for(*g.current, stream)) {
    note_read(stream, 0);
    return 1;
  }
  take(stream);
  return libc().ftrylockfile(stream);
}

REEX_EXPORT void funlockfile(FILE* stream) noexcept {
  REEX_POINT(Operation::stream, stream);
  fingerprint_fence();
  libc().funlockfile(stream);
  give_back(stream);
}
