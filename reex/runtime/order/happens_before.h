// Happens-before between the threads of one execution, as vector clocks (Mattern 1989; the release and
// acquire rules of C++20 [intro.races], fences and release sequences included). A primitive says at which
// object its thread publishes what it did before, and at which it takes in what others published. On the
// running fiber, during an execution; does nothing outside one, or where nobody asks for races. A few ns a
// call, plus one for each thread.
//
// A fiber's clock rises with each release. Its row holds what it knows of the others: an event of thread t at
// clock c happened before the running fiber's next one if row[t] >= c. Once the last other thread has been
// joined there is nothing to tell anybody, up to the next creation, which hands on all.
#pragma once

#include <cstdint>

#include "reex/runtime/core/fiber.h"

namespace reex {

void acquire_from(const void* object);
void release_to(const void* object);

// What a visible operation does to its object, applied when the fiber goes on with it.
void order_operation(Operation operation, void* object);
// Where readers publish: writers acquire from it, other readers do not.
inline const void* readers_of(const void* lock) { return static_cast<const char*>(lock) + 1; }

// Atomic operations with their memory order, as the compiler passes it (__ATOMIC_RELAXED ...).
void acquire_at_load(const void* object, int order);
void release_at_store(const void* object, int order);
void order_exchange(const void* object, int order);
void order_fence(int order);

void order_created(const Fiber& child);                      // by the running fiber
void order_joined(const Fiber& finished);                    // by the running fiber
void begin_happens_before(bool wanted);                      // a new execution; the controller
void end_happens_before();                                   // for the rest of this execution
extern bool g_ordering;                                      // clocks are kept: wanted, and there are others
extern std::uint32_t g_clocks[k_max_threads][k_max_threads]; // rows of fibers; of use while g_ordering

inline constexpr std::uint32_t k_max_clock = (1u << 24) - 1; // what an access record has room for

} // namespace reex
