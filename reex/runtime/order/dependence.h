// Tells the search which threads depend on each other, so that it can leave out orders of threads that have
// nothing to do with each other (search/apart.h). It sees what the fingerprint sees.
//
// Callers: the fingerprint, in executions that compute one; the running fiber where an execution depends on
// more than on objects.
//
// Invariants: a use that is ordered before another one by the creation or the join of threads makes nobody
// depend: in no execution can the two come in another order.
//
// Cost: a few instructions for each use.
#pragma once

#include <cstdint>

#include "reex/runtime/core/fiber.h"

namespace reex {

// Who has used an object in this execution. All zero at first.
struct Users {
  std::uint64_t threads; // by number
  std::uint32_t born;    // threads that had been created at the last use
  bool written;
};

void begin_dependence(); // a new execution
// The running fiber uses the object.
void depend_by_use(Users& users, bool writes);
void depend_on(const Fiber& other); // of the running fiber
void depend_on_all();
// The running fiber creates or joins a thread.
void note_child(const Fiber& child);
void note_ended(const Fiber& joined);
// By number, of the first k_apart_threads: the threads that each one waits for in a join.
const std::uint64_t* joins();

} // namespace reex
