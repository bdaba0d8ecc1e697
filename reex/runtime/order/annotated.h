// What the test says about its own accesses through the annotations of ThreadSanitizer: that a thread's
// accesses, or those to some memory, are expected to race, or that nobody is to look at them.
//
// Callers: the running fiber; begin_annotated, the controller. What was said before the first thread holds in
// every execution.
//
// Cost: one comparison for each access that is examined.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reex/runtime/core/runtime.h"

namespace reex {

// Starts a new execution.
void begin_annotated();
void annotate_created(const Fiber& child);

// The running thread's accesses are expected to race, up to the end of the outermost such range.
void ignore_accesses();
void heed_accesses();
extern std::uint32_t g_ignoring[k_max_threads]; // by slot: ranges that are open
inline bool accesses_are_ignored() { return g_ignoring[g.current->slot] != 0; }

// The same for what orders the thread with others: it publishes nothing, and takes nothing in.
void ignore_synchronization();
void heed_synchronization();
extern std::uint32_t g_ignoring_order[k_max_threads];
inline bool synchronization_is_ignored() { return g_ignoring_order[g.current->slot] != 0; }

// With both, as in the functions of a lock of the test's own, accesses are not looked at: what orders them is
// not known.
inline bool accesses_are_unseen() { return accesses_are_ignored() && synchronization_is_ignored(); }

// Inside the functions of its lock, the test turns to something else, as to the semaphore of a waiter. All of
// that is seen, but not what the lock's word orders: who finds the semaphore there knows that it has begun.
// So the lives of primitives are expected to race.
void divert();
void end_diverting();
extern std::uint32_t g_diverted[k_max_threads];
inline bool lives_are_ignored() { return accesses_are_ignored() || g_diverted[g.current->slot] != 0; }

// An order between threads that no atomic operation shows: the test states it, or the runtime for a function
// of another library. Published is it at a place of its own: the atomic operations of the object publish at
// the object, where a relaxed store leaves nothing of what was there.
inline const void* published_at(const void* object) {
  return reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(object) | std::uintptr_t{1} << 63);
}
void acquire_stated(const void* object);
void release_stated(const void* object);

void expect_races(const void* memory, std::size_t size);
bool is_race_expected(std::uint64_t address);

} // namespace reex
