// Of a data race: the atomic operations that would have ordered its accesses, had they been strong enough.
// They tell a memory order that a change made too weak from a race that has nothing to do with the change.
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
// one of each thread counts. Cost: linear in the steps between the accesses.
std::vector<std::uint32_t> near_misses(const std::vector<TraceStep32>& steps, const FindingSide& first,
                                       const FindingSide& last);

} // namespace reex
