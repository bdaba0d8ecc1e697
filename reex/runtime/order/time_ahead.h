// By how much the clocks of a thread are ahead of virtual time, because it has done something since it last
// looked at one: natively, that has taken some time. Virtual time itself does not pass by that, because then
// nothing could be independent of it. Each thread goes ahead for itself (Fiber::ahead), and whoever learns
// from it, by an operation that follows one of its on the same object, is ahead at least as far. So clocks
// agree and never go back, for all who could notice.
//
// From the first reading on that a thread's history has in it (also one before the first thread), each
// operation takes it some time (Ahead::worked), and each plain access in between. Its clocks do not show that
// (Ahead::shown) before a reading for which it goes ahead: a loop that only polls has to find nothing new.
//
// Callers: the running fiber, inside an execution; begin_to_count_work, main before the first thread;
// begin_time_ahead, the controller. The fingerprint calls carry_ahead and the functions beside it, because it
// sees all by which threads learn from each other.
//
// Invariants: how far a thread is ahead follows from its history (fingerprint.h). More operations depend on
// each other there than here, never fewer. What an operation takes does not depend on whether the thread had
// to wait for it: that differs between equivalent schedules.
//
// Cost: nothing as long as no clock is read, then a look-up for each operation. 1 MB, of which only what
// is used is touched.
//
// Source: logical clocks (Lamport 1978), beside a physical one (Kulkarni et al. 2014).
#pragma once

#include <cstdint>

#include "reex/runtime/core/fiber.h"

namespace reex {

inline constexpr std::uint64_t k_least_ahead = 1000; // ns, at a reading

extern bool g_some_ahead; // in this execution

void begin_to_count_work(); // main, before the first thread
void begin_time_ahead();    // starts a new execution
// The running fiber has done something: its clocks show what that took, and a microsecond at least.
void go_ahead();
void count_accesses(); // those of the running fiber that were not counted yet, as it comes to an operation
// It executes the operation, and learns from those before on the object, or tells those after.
void carry_ahead(Operation operation, const void* object);
void tell_ahead(Fiber& other);
void learn_ahead(const Fiber& other);

} // namespace reex
