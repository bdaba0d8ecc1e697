// Synchronization objects with the attribute process-shared, once the test has forked: processes use the same
// ones in memory that they share. Each process decides about its own threads; what the processes do to each
// other is not explored (gap shared-memory).
//
// An operation on such an object holds a lock of all the processes (claim_shared) from the moment at which it
// is enabled up to the end of the call (SharedUse), or to the point where the call begins to wait. Then the
// others look again. The worker goes on when its children have come to rest, so that usually each execution
// finds them in the same place.
//
// Callers: primitives and the scheduler, on the running fiber, in every process of the test.
//
// Invariants: all this lies in a page that the processes share. It is empty when a worker begins. If a
// process dies while it holds the lock, the next one takes it over.
//
// Cost: before the first fork, a comparison. After it, a millisecond or more for each operation.
#pragma once

#include <cstdint>

#include "reex/runtime/core/runtime.h"

namespace reex {

extern bool g_sharing;       // this process has forked one, or was forked
extern bool g_holds_shared;  // it holds the lock
extern const char g_outside; // the object of what threads tell each other through other processes

void begin_sharing(); // the process is about to fork one
// The zygote makes workers. Children from before, if there are any, and workers may use no such object.
void end_early_sharing();
void let_children_rest();        // until they wait for something
bool shares(const Fiber& fiber); // its pending operation uses such an object

// How an owner is written into an object. In a process that the test forked, a thread of its own is less than
// 0 in objects that processes share. Elsewhere it is the thread's number + 1.
std::int32_t mark_in_child(const Fiber& fiber);
inline std::int32_t owner_mark(const Fiber& fiber, bool process_shared) {
  return process_shared && g.forked_off ? mark_in_child(fiber) : fiber.id + 1;
}
bool is_owner_gone(std::int32_t mark, bool process_shared);

// The fiber's pending operation may be executed now, and nobody else comes in between: true. Otherwise it has
// to wait again. True at once if the object is no such one.
bool claim_shared(Fiber& self);
void release_shared();
// In a process where nothing is explored: until another process has done something, or the time has come.
void await_sharers(Fiber& self, std::uint64_t until);
// The number of changes that await_sharers compares with. To be read before the fiber finds that it must
// wait.
void look_at_sharers();

struct SharedUse { // in its scope, a call may claim an object
  SharedUse() = default;
  ~SharedUse() {
    if (g_holds_shared) release_shared();
  }
  SharedUse(const SharedUse&) = delete;
  SharedUse& operator=(const SharedUse&) = delete;
};

// Those that wait for a condition that processes share. To be called with the lock, but for is_notified.
void join_waiters(const Fiber& self, const void* condition);
bool leave_waiters(const Fiber& self); // whether it was notified
bool is_notified(const Fiber& fiber);
bool is_listed(const Fiber& fiber);                            // it has joined them
unsigned notify_waiters(const void* condition, unsigned most); // those that have waited longest

} // namespace reex
