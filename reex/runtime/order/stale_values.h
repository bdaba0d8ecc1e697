// Finds the atomic loads that could return an older value than the last one. Memory orders weaker than
// seq_cst permit it; executions that are sequentially consistent never do it, so the search does not try it.
//
// A load may be stale if the last store to the object came from another thread and did not happen before the
// load, and if the load or that store is weaker than seq_cst (C++20 [intro.races], [atomics.order]).
//
// Callers: the running fiber, before the operation's own effect on happens-before.
//
// Invariants: the table belongs to one execution, like that of happens_before.cpp. It forgets stores where
// many objects are in use; then a load is missed, and none is named wrongly. Stores before the run's first
// weak operation are not remembered: most tests have none.
//
// Cost: a few ns for each operation after the first weak one; nothing before.
#pragma once

namespace reex {

void watch_atomic_store(const void* object, int order);
void watch_atomic_load(const void* object, int order, const void* pc);

} // namespace reex
