// Thread-specific data (pthread_key_*). The runtime implements all of it and stores the values for each
// fiber. A restore brings back keys and main's values (restore_keys); a thread begins with none
// (clear_values); a new worker has the zygote's.
#pragma once

#include "reex/runtime/core/fiber.h"

namespace reex {

void run_key_destructors(); // those of the calling fiber, at its end
void clear_values(const Fiber& created);
void snapshot_keys(); // before the first execution
void restore_keys();  // before every execution but the first

} // namespace reex
