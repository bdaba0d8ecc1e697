// Named semaphores (semantics: "Names and sharing").
#pragma once

namespace reex {

// Part of the snapshot and the restore. A new worker has its zygote's.
void snapshot_named_semaphores();
void restore_named_semaphores();

} // namespace reex
