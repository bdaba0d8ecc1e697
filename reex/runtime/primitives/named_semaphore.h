#pragma once

namespace reex {

// With the snapshot of the test's memory, to which they belong.
void snapshot_named_semaphores();
void restore_named_semaphores();

} // namespace reex
