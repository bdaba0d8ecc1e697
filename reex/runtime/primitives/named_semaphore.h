// Named semaphores (semantics: "Names and sharing").
#pragma once

namespace reex {

// Part of the snapshot and the restore. A new worker has its zygote's.
// The calling thread uses the semaphore. The others of its name would not know.
void refuse_named_in_child(const void* semaphore);
void snapshot_named_semaphores();
void restore_named_semaphores();

} // namespace reex
