// Schedules of IMUnit under reex (docs/imunit.md, semantics: "Events"). An event that the schedule names is a
// visible operation, and its enabledness is the monitor's condition. So the scheduler holds a thread by not
// running it, and every strategy, bound and reduction works as it is.
//
// The monitor lies in the test's memory (include/reex/imunit/monitor.h), so a restore brings it back. The
// test's header calls the five functions reex_imunit_begin, _end, _event, _thread and _name.
//
// Callers: snapshot_imunit, as a worker begins; begin_imunit and has_satisfied_schedule, the controller; the
// others, on the running fiber. held_for is in core/enabled.h.
//
// Cost: a pending event costs the evaluation of its conditions at each choice.
#pragma once

#include "reex/runtime/core/fiber.h"
#include "reex/shared/ending.h"

namespace reex {

// Remembers which schedule is in force; begin_imunit puts it in force again.
void snapshot_imunit();
// A new execution begins.
void begin_imunit();
// Whether all events that this execution's schedule orders have occurred, and obeyed it.
bool has_satisfied_schedule();

// Events that stand at operations (REEX_EVENT_AT). To be called before the running fiber comes to an
// operation that it may be interrupted at: events behind its last operation occur, then those before this
// one.
void events_around(Operation operation, void* pc, void* frame);
extern bool g_has_places; // if not, events_around has nothing to do

// An event of a place occurs now, on the running fiber. Nothing if no schedule is in force.
void occur_at_place(const char* event, void* pc, void* frame);
// The name of a thread as the test's header knows it; "T2" for the second thread, if it has none.
const char* name_at_place(const Fiber& fiber);
// The running fiber gives itself a name, or, with the mark of REEX_CREATES, the threads that it creates.
void note_name(const Fiber& fiber, const char* name);
void snapshot_places();
void begin_places();

inline bool is_at_event(const Fiber& fiber) { return fiber.pending.operation == Operation::imunit_event; }

// No thread can run. The kind of this end: `otherwise`, or End::stuck if a thread is held at an event and no
// threads wait in a cycle of their own.
End end_of_standstill(End otherwise);

} // namespace reex
