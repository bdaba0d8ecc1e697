// Of a data race: the operations that would have ordered its accesses. Atomic operations, had they been
// strong enough; the creation of a thread, had it come later. They tell a memory order that a change made too
// weak, and a thread that a change starts too early, from a race that has nothing to do with the change.
#pragma once

#include <cstdint>
#include <vector>

#include "reex/shared/findings.h"
#include "reex/shared/trace.h"

namespace reex {

// The numbers of these steps. `steps` is the trace of the execution in which the sides were captured; none if
// they were not.
//
// A path leads from the first access to the last one along the threads, and from an operation on an object to
// a later one on it. These steps are its fences, and the ends of its edges between two threads on an atomic
// object. Whether the other operations on it synchronize is not asked. Of the reads behind a write, the next
// one of each thread counts.
//
// The creation: of the thread of one access, or of one that created it in turn, by the thread of the other
// access, before that access. The n-th creation of the trace makes thread n.
//
// Cost: linear in the steps up to the later access.
std::vector<std::uint32_t> near_misses(const std::vector<TraceStep32>& steps, const FindingSide& first,
                                       const FindingSide& last);

// The loads of atomic objects, and the compare-exchanges that failed, that would have ordered the accesses
// had their thread written there instead: a later read by another thread is on the path to the last access,
// and no write by theirs comes before it. A function that looks first, and then may write or not, has given
// nothing on if it does not write.
std::vector<std::uint32_t> looks_on_the_way(const std::vector<TraceStep32>& steps, const FindingSide& first,
                                            const FindingSide& last);

} // namespace reex
