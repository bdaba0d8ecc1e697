// The life of a synchronization object, from its initialization to its destruction. For races, both are plain
// writes to all of it, and the operations between them are atomic reads (race.cpp). So a lock that nothing
// orders with the destruction of the mutex is a race, and the destruction becomes a visible operation. A
// destroyed object keeps a mark (core/objects.h): its next operation ends the execution.
//
// Callers: the running fiber, before it changes the object. `pc` is the return address of the call. Calls of
// code that is neither instrumented nor a library of the language are no writes: reex does not see what
// orders them. `life`: the object's own.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reex/runtime/core/objects.h"

namespace reex {

void begin_life(void* object, std::size_t size, void* pc);
void end_life(void* object, std::size_t size, const std::uint32_t& life, const char* kind, void* pc);

template <typename Posix>
void begin_life(Posix* object, void* pc) {
  begin_life(object, sizeof *object, pc);
}

template <typename Posix>
void end_life(Posix* object, const std::uint32_t& life, const char* kind, void* pc) {
  end_life(object, sizeof *object, life, kind, pc);
}

} // namespace reex
