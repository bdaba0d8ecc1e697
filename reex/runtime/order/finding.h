// Findings: errors in an execution that do not make it fail (semantics: "Verdicts"). A worker records a
// finding when it is new. The detailed execution that follows captures the stacks of both sides.
//
// Callers: the running fiber; new_findings, also the controller and the zygote.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reex/runtime/core/fiber.h"
#include "reex/runtime/core/objects.h"
#include "reex/shared/findings.h"

namespace reex {

// The running fiber is the last side. Cost for a finding that is known: a look-up in a table.
void report_finding(FindingKind kind, std::uint64_t object, const FindingSide& first,
                    const FindingSide& last);

// Two threads stand before conflicting accesses with these return addresses at once.
void note_met(std::uint64_t pc, std::uint64_t other_pc);

// In a detailed execution: captures the stack, if this access is the first side of a finding that has none
// yet.
void witness(const void* address, std::size_t size, void* pc);

// In a detailed execution: captures the stack at which a thread was created that is never joined, or that is
// named when it is gone.
void witness_creation(const Fiber& thread);
// The process ends in main: reports every other thread that was neither joined nor detached.
void report_unjoined();
// fiber_of() for the running fiber, which names the thread at `pc`. That one which is gone is named is a
// finding: glibc may have given its stack, and with it the handle, to another thread or to nobody.
Fiber* fiber_named(pthread_t thread, void* pc);
// A mutex is destroyed at `pc` while a thread holds it.
void report_destroyed(const Mutex& mutex, void* pc);
// A thread that does not hold the mutex unlocks it at `pc`.
void report_stranger(const Mutex& mutex, void* pc);
// The running fiber wakes, at `pc`, who waits at an address in freed memory: it touches nothing there.
void report_woken(const void* object, void* pc);
// The compare-exchange of the running fiber, at `pc`, failed where it could have succeeded if malloc gave
// freed addresses again.
void report_address_kept(void* pc);
void report_code_entered();
// Another thread, or a timer, sends the thread a signal or cancels it, or has done so when it had ended. This
// may come right before its end, and before a join that need not wait. So from the next round on, both are
// visible operations of the thread, as if its function were an access that races.
void report_async_target(const Fiber& thread);
bool is_async_target(const Fiber& thread);
// In a detailed execution, when the running fiber has locked the mutex: captures the stack, if one of these
// two findings needs it.
void witness_locked(const Mutex& mutex);

// A detailed execution begins: it has shown no finding yet.
void begin_showing();

// There are findings that the parent has not received.
bool new_findings();

} // namespace reex
