// Thread-specific data (pthread_key_*). The runtime implements all of it and stores the values for each
// fiber. A restore brings back keys and main's values (restore_keys) and clears those of other threads; a new
// worker has the zygote's.
#pragma once

namespace reex {

void run_key_destructors(); // those of the calling fiber, at its end
void snapshot_keys();       // before the first execution
void restore_keys(); // before every execution but the first; g.fibers must still be that of the execution
                     // before

} // namespace reex
