// Findings: what is wrong with an execution without being its failure (semantics: "Verdicts"). A worker notes
// what it has not seen before; the detailed execution that follows captures the stacks of both sides.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reex/runtime/core/fiber.h"
#include "reex/runtime/core/objects.h"
#include "reex/shared/control.h"

namespace reex {

// On the running fiber, which is the last side. A known one costs a table look-up.
void report_finding(FindingKind kind, std::uint64_t object, const FindingSide& first,
                    const FindingSide& last);

// A detailed execution: an access that may turn out to be the first side of what is looked for.
void witness(const void* address, std::size_t size, void* pc);

// A thread was created at `pc`: where, if it is never joined.
void witness_creation(const Fiber& thread);
// Main exits: every other thread must have been joined or detached.
void report_unjoined();
// A mutex is destroyed at `pc` while a thread has it.
void report_destroyed(const Mutex& mutex, void* pc);
// It is unlocked at `pc` by another thread than the one that has it.
void report_stranger(const Mutex& mutex, void* pc);
// The running fiber has got it: where, if one of these two happens to it.
void witness_locked(const Mutex& mutex);

// There are findings that the parent has not got yet.
bool new_findings();

} // namespace reex
