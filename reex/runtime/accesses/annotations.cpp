// The annotations of ThreadSanitizer and of Valgrind's race detectors, and its interface for locks of the
// test's own (sanitizer/tsan_interface.h). Those that have no meaning here are in reex/hooks/abi.def alone.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "reex/runtime/accesses/access.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/annotated.h"
#include "reex/runtime/order/happens_before.h"

using namespace reex;

namespace {

// Flags of the functions for locks.
constexpr unsigned k_read_lock = 1u << 3;
constexpr unsigned k_try_lock_failed = 1u << 5;

void acquire_lock(const void* lock, bool write) {
  acquire_from(published_at(lock));
  if (write) acquire_from(readers_of(lock));
}

void release_lock(const void* lock, bool write) { release_to(write ? published_at(lock) : readers_of(lock)); }

void ignore_all() {
  ignore_accesses();
  ignore_synchronization();
}

void heed_all() {
  heed_accesses();
  heed_synchronization();
}

template <typename T>
T unaligned_load(const void* from, void* pc) {
  access(from, sizeof(T), false, pc);
  T value;
  memcpy(&value, from, sizeof value);
  return value;
}

template <typename T>
void unaligned_store(void* to, T value, void* pc) {
  access(to, sizeof(T), true, pc);
  memcpy(to, &value, sizeof value);
}

} // namespace

REEX_EXPORT void __tsan_acquire(void* object) { acquire_stated(object); }
REEX_EXPORT void __tsan_release(void* object) { release_stated(object); }
REEX_EXPORT void __tsan_ignore_thread_begin() { ignore_accesses(); }
REEX_EXPORT void __tsan_ignore_thread_end() { heed_accesses(); }

// What the functions of a lock do inside is ignored: these functions alone say how the lock orders threads,
// so a trylock that fails orders nothing. Atomics inside are visible operations as usual.
REEX_EXPORT void __tsan_mutex_pre_lock(void*, unsigned) { ignore_all(); }
REEX_EXPORT void __tsan_mutex_post_lock(void* lock, unsigned flags, int) {
  heed_all();
  if ((flags & k_try_lock_failed) == 0) acquire_lock(lock, (flags & k_read_lock) == 0);
}
REEX_EXPORT int __tsan_mutex_pre_unlock(void* lock, unsigned flags) {
  release_lock(lock, (flags & k_read_lock) == 0);
  ignore_all();
  return 1;
}
REEX_EXPORT void __tsan_mutex_post_unlock(void*, unsigned) { heed_all(); }
REEX_EXPORT void __tsan_mutex_pre_signal(void*, unsigned) { ignore_all(); }
REEX_EXPORT void __tsan_mutex_post_signal(void*, unsigned) { heed_all(); }
REEX_EXPORT void __tsan_mutex_pre_divert(void*, unsigned) { divert(); }
REEX_EXPORT void __tsan_mutex_post_divert(void*, unsigned) { end_diverting(); }

REEX_EXPORT void __tsan_external_read(void* object, void* pc, void*) { access(object, 1, false, pc); }
REEX_EXPORT void __tsan_external_write(void* object, void* pc, void*) { access(object, 1, true, pc); }

REEX_EXPORT void AnnotateHappensBefore(const char*, int, void* object) { release_stated(object); }
REEX_EXPORT void AnnotateHappensAfter(const char*, int, void* object) { acquire_stated(object); }
REEX_EXPORT void WTFAnnotateHappensBefore(const char*, int, void* object) { release_stated(object); }
REEX_EXPORT void WTFAnnotateHappensAfter(const char*, int, void* object) { acquire_stated(object); }
REEX_EXPORT void AnnotateRWLockAcquired(const char*, int, void* lock, long write) {
  acquire_lock(lock, write != 0);
}
REEX_EXPORT void AnnotateRWLockReleased(const char*, int, void* lock, long write) {
  release_lock(lock, write != 0);
}

REEX_EXPORT void AnnotateIgnoreReadsBegin(const char*, int) { ignore_accesses(); }
REEX_EXPORT void AnnotateIgnoreReadsEnd(const char*, int) { heed_accesses(); }
REEX_EXPORT void AnnotateIgnoreWritesBegin(const char*, int) { ignore_accesses(); }
REEX_EXPORT void AnnotateIgnoreWritesEnd(const char*, int) { heed_accesses(); }

REEX_EXPORT void AnnotateIgnoreSyncBegin(const char*, int) { ignore_synchronization(); }
REEX_EXPORT void AnnotateIgnoreSyncEnd(const char*, int) { heed_synchronization(); }

REEX_EXPORT void AnnotateBenignRace(const char*, int, void* memory, const char*) { expect_races(memory, 1); }
REEX_EXPORT void AnnotateBenignRaceSized(const char*, int, void* memory, std::size_t size, const char*) {
  expect_races(memory, size);
}
REEX_EXPORT void WTFAnnotateBenignRaceSized(const char*, int, void* memory, std::size_t size, const char*) {
  expect_races(memory, size);
}
REEX_EXPORT void AnnotateExpectRace(const char*, int, void* memory, const char*) { expect_races(memory, 1); }
REEX_EXPORT void AnnotateNewMemory(const char*, int, void* memory, std::size_t size) {
  watch_renewed(memory, size);
}

REEX_EXPORT std::uint16_t __sanitizer_unaligned_load16(const void* from) {
  return unaligned_load<std::uint16_t>(from, REEX_CALLER);
}
REEX_EXPORT std::uint32_t __sanitizer_unaligned_load32(const void* from) {
  return unaligned_load<std::uint32_t>(from, REEX_CALLER);
}
REEX_EXPORT std::uint64_t __sanitizer_unaligned_load64(const void* from) {
  return unaligned_load<std::uint64_t>(from, REEX_CALLER);
}
REEX_EXPORT void __sanitizer_unaligned_store16(void* to, std::uint16_t value) {
  unaligned_store(to, value, REEX_CALLER);
}
REEX_EXPORT void __sanitizer_unaligned_store32(void* to, std::uint32_t value) {
  unaligned_store(to, value, REEX_CALLER);
}
REEX_EXPORT void __sanitizer_unaligned_store64(void* to, std::uint64_t value) {
  unaligned_store(to, value, REEX_CALLER);
}
