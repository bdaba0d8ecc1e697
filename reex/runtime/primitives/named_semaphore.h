// Named semaphores (semantics: "Names and sharing").
#pragma once

namespace reex {

// Room for them in memory that forked processes share: when the library is loaded, and again in each worker,
// which nobody else shares it with.
void make_room_for_named_semaphores();
bool has_named_semaphores(); // the test has made one
// The zygote saves them. A new worker has the zygote's, and so has each of its executions.
void snapshot_named_semaphores();
void restore_named_semaphores();

} // namespace reex
