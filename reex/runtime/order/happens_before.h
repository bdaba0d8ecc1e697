// Happens-before between the threads of one execution, as vector clocks. A primitive names the object at
// which its thread publishes what it did before, and the object from which it takes in what others published.
//
// Callers: the running fiber during an execution; begin_happens_before, the controller. The functions do
// nothing outside an execution, or if nobody asks for races.
//
// Invariants: a fiber's clock rises with each release. Its row holds what it knows about the others: an event
// of slot s at clock c happened before the fiber's next event if row[s] >= c. A slot is a thread, and after
// it a later one that follows it (happens_before.cpp). When the last other thread has been joined, the clocks
// stop until the next creation, because the new thread inherits all that its creator knows.
//
// Cost: a few ns for each call, plus one for each thread.
//
// Source: vector clocks (Mattern 1989); the release and acquire rules of C++20 [intro.races], with fences and
// release sequences.
#pragma once

#include <cstdint>

#include "reex/runtime/core/fiber.h"

namespace reex {

void acquire_from(const void* object);
void release_to(const void* object);

// The effect of a visible operation on its object, when the fiber executes it.
void order_operation(Operation operation, void* object);
// The object at which readers of the lock publish: writers acquire from it, other readers do not.
inline const void* readers_of(const void* lock) { return static_cast<const char*>(lock) + 1; }

// Atomic operations with their memory order, as the compiler passes it (__ATOMIC_RELAXED ...).
void acquire_at_load(const void* object, int order);
void release_at_store(const void* object, int order);
void release_at_exchange(const void* object, int order);
void order_fence(int order);

// Called by the running fiber, which creates the child. `is_reused`: another thread of this execution had its
// slot.
void order_created(const Fiber& child, bool is_reused);
// Whether a thread that the running fiber creates may use the slot of a thread that has ended: all that this
// one did has happened before.
bool may_follow(unsigned slot);
// The number of the thread that had the slot when its clock had this value.
unsigned thread_at(unsigned slot, std::uint32_t clock);
void order_joined(const Fiber& finished); // called by the running fiber
// The running fiber's clock, which stays behind: what follows has a later one. 0: there are none.
std::uint32_t leave_clock();
// All that the thread has done so far that was created with this argument.
void order_after_thread_of(const void* argument);
// The running fiber ends, and leaves robust mutexes locked. Who locks one of them follows its end.
void order_abandoning();
void order_after_end(unsigned thread);
void begin_happens_before(bool wanted); // starts a new execution
void end_happens_before();              // for the rest of this execution
extern bool g_ordering;                 // clocks are updated: they are wanted, and there are other threads
extern std::uint32_t g_clocks[k_max_threads][k_max_threads]; // rows by slot; valid while g_ordering

inline constexpr std::uint32_t k_max_clock = (1u << 24) - 1; // the highest that an access record can store

} // namespace reex
