// The functions that a primitive is written with: the choice point before its operation, a second wait inside
// the operation, and what the operation has read or written, for the detection of spins. schedule
// (scheduler.cpp, spin.cpp) and threads (cancel.cpp) define them; a primitive needs no other part of the
// scheduler.
//
// Callers: the fiber that executes the operation. Before the first thread and in a process that the test
// forked, visible, visible_pending and wait_until only wait until the operation is enabled; note, note_read
// and note_write return at once. Inside the runtime's own work (`Inside`), visible, visible_pending and note
// return at once.
//
// Cost: about 50 ns for a choice point.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reex/runtime/core/fiber.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/machine/platform.h"
#include "reex/search/search.h"

namespace reex {

// A choice point before `operation`. Returns when the calling fiber shall execute the operation. `pc` and
// `frame` are those of the caller, see REEX_POINT.
void visible(Operation operation, void* object, void* pc, void* frame);

// The same, with a deadline in virtual time and a value for the pending operation.
void visible_pending(Operation operation, void* object, void* pc, void* frame, std::uint64_t deadline,
                     std::uint64_t value);

// Events that stand behind the fiber's last operation (REEX_EVENT_AT) occur. For a thread that comes to its
// end. Defined in imunit/places.cpp.
void events_behind(void* pc, void* frame);

// The thread comes to its end: futexes that it owns and others wait for get other owners. Defined in
// primitives/owned_futex.cpp.
void hand_over_at_end(Fiber& self);

// For an operation without a choice (the creation of a thread, a join that can complete): it appears in the
// trace and nothing else happens.
void note(Operation operation, void* object, void* pc, void* frame);

// Waits a second time inside one operation. `operation` becomes the fiber's pending operation.
void wait_until(Operation operation, void* object, std::uint64_t deadline);

// The fiber's read saw `value`: this may be a spin. A failed write (trylock, compare-exchange) counts as a
// read.
void note_read(void* object, std::uint64_t value);
// The fiber wrote to the object: spins on the object end.
void note_write(void* object);
// The same for a write that a later one may take back (Effect::change), after it. `before` and `now` stand
// for the object's contents. A lock that is taken has a higher number than one that is free. If they are
// equal, this is a read.
void note_change(void* object, std::uint64_t before, std::uint64_t now);
void end_spin(Fiber& fiber);

// A cancellation point, for the functions that POSIX calls so. The fiber calls it outside `Inside`, when the
// operation may be executed and before its effect. It does not return if the thread is cancelled
// (cancel.cpp).
void testcancel();

// In its scope the calling thread is in a call that is a cancellation point, which functions of descriptors
// and streams are (threads/cancellation_points.def): visible and visible_pending do not return if the thread
// is cancelled. Being cancelled also ends the waits of the call; behind wait_until, the call asks
// testcancel_here, unless it has had an effect already. A thread that leaves does not come to the end of the
// scope (cancel.cpp).
class CancellationPoint {
public:
  explicit CancellationPoint(bool is_one = true) : m_fiber(g.current) {
    if (m_fiber == nullptr) return; // the library is not initialized yet
    m_before = m_fiber->own.at_point;
    m_fiber->own.at_point = is_one;
  }
  ~CancellationPoint() {
    if (m_fiber != nullptr) m_fiber->own.at_point = m_before;
  }
  CancellationPoint(const CancellationPoint&) = delete;
  CancellationPoint& operator=(const CancellationPoint&) = delete;

private:
  Fiber* m_fiber;
  bool m_before = false;
};
void testcancel_here();
// For a call that has no visible operation of its own, in the scope of a CancellationPoint.
void reach_cancellation_point(void* pc, void* frame);
// Whether the wait that has just ended was ended because the thread is cancelled.
bool ended_by_cancellation();

// How many calls load or unload libraries, and may have returned (accesses/loader.h). If there are any, each
// thread looks at its own ones at its next scheduling point and at its end.
extern unsigned g_loading;
void loading_ended(Fiber& self);

// For a plain access that may be visible: under --accesses all, in a suspected loop, or because it took part
// in a race. accesses (tsan.cpp) defines it.
void plain_access(const void* address, std::size_t size, bool write, void* pc);

// Where nothing is explored, a thread has made plain accesses for a while: perhaps it waits in a loop for
// another thread, or for the signal of a timer. schedule (alone.cpp) defines it.
void compute_alone(void* pc, void* frame);

// Chooses which waiter a notification wakes, or whether a weak operation fails. Returns an index below
// `count`; outside a worker always 0.
unsigned choose_among(ChoiceKind kind, const std::uint16_t* ids, unsigned count);
// Chooses which of the waiting threads a notification wakes; `ids` are ascending, at least one. By default
// the first one, until another has been passed over so often that it comes before.
Fiber& choose_waiter(std::uint16_t* ids, unsigned count);

#define REEX_FRAME (static_cast<char*>(__builtin_frame_address(0)) + 16)
#define REEX_POINT(operation, object) ::reex::visible((operation), (object), REEX_CALLER, REEX_FRAME)

// For operations that may belong to a loop that waits, by a spin or for a time: they first push the registers
// that the caller relies on, because the detection of spins compares these registers.
#define REEX_READ_POINT(operation, object) (__builtin_unwind_init(), REEX_POINT(operation, object))

#define REEX_READ_CALLER (__builtin_unwind_init(), REEX_CALLER), REEX_FRAME

} // namespace reex
