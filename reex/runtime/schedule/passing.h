// How time passes (semantics: "Time").
//
// Time jumps to the next deadline when no thread can run. While threads run, it passes in time slices. A
// slice is a number of visible operations of the execution, whoever executes them. While somebody waits, a
// lap lasts until each thread that can run has made half as many operations as a slice has: natively, these
// threads run at the same time. When a slice is over,
// 1. if it ends a lap, each thread that waits for a deadline has waited one lap more. If it has waited enough
//    laps for the length of its wait (laps_for), and no other wait ends earlier, time jumps to this deadline.
//    When k_most_overtaken laps more have passed, the earlier ones end one by one, without a lap of their
//    own: a thread that naps shall not find that much more time went by than it has slept;
// 2. threads that spin and poll the clock see a later time, and a suspected spin gets another turn;
// 3. the turn passes to the next thread (next_in_turn), at no cost, as at the end of a time slice of a
//    scheduler. That the running thread goes on costs a preemption.
// At the ends of the first slices of an execution for which somebody waits, 1 is left out: so long, time
// stands still (worker/patience.h). Without 3, a loop without an end of its own would keep all other threads
// from running at bound 0.
//
// A slice ends after a number of operations, and not after a time, so it is the same in every replay. All of
// this depends on the state and on the thread that ran last only, and not on the order of independent
// operations: the number of executed operations follows from the histories of the threads, and the slices
// that each thread has waited, those in which time stood still, and where the lap began are part of the state
// (fingerprint.cpp). So the proof of the reduction holds: equal states have the same end of the slice, the
// same deadline comes there, and a counterpart has the same thread in turn. Rule 4 alone compares states
// whatever thread ran last. There, the end of a slice counts as a point where leaving the running thread
// costs a preemption, which is the higher cost of the two.
//
// Joins do not count: whether a thread has to wait for the one that it joins depends on the order.
//
// Callers: the scheduler, at a choice point.
#pragma once

#include <cstdint>

#include "reex/runtime/core/fiber.h"

namespace reex {

// So many jumps of time without an end of a slice, and the turn passes as soon as two threads can run.
inline constexpr std::uint32_t k_most_jumps = 64;

inline constexpr std::uint64_t k_guard =
    5'000'000'000; // ns: waits as long as this are meant not to end by it

void begin_slices(std::uint32_t patience); // for an execution, in the controller

std::uint64_t earliest_deadline(bool of_spinning);
// No thread can run but some that were put back. The next one of these after `last` that polls the clock, if
// there is one, is woken: its readings let time pass, and a jump to a deadline of others would pass over what
// it waits for. One at a time, so that there is nothing to choose.
bool wake_clock_poller(const Fiber& last);
// No thread can run but some that were put back. Where code is not seen, what they wait for may be there:
// they have another turn before time jumps, at most eight times. True: somebody has one.
bool look_again();
// No thread can run: time jumps to the deadline, unless it has passed.
void pass_time(std::uint64_t deadline);
// The same, before it: which guards end there that nothing else would end.
void note_stuck_guards(std::uint64_t deadline);
// The fiber's wait was chosen to end before its time, as the options permit.
void end_early(Fiber& self);
// The clock was moved by a thread that reads it: deadlines that it has passed have come.
void catch_up_with_clock();

// The running fiber executes an operation.
void count_for_slice(Fiber& self);
// If the slice is over, ends it.
bool end_slice();
// The first of the `count` enabled threads that keeps time from passing, because it has had no turn for long;
// k_nobody_is_due: none.
unsigned who_is_due(const Fiber* const* threads, unsigned count);
// The candidate, among the `count` enabled threads after `current`, that goes on when a slice is over: the
// first thread after `current` whose deadline has come at this end or before and that has executed nothing
// since, otherwise the first one.
unsigned next_in_turn(const Fiber* const* threads, unsigned count, const Fiber& current);

} // namespace reex
