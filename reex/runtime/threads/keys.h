// Thread-specific data (pthread_key_*), wholly the runtime's own: values are kept per fiber.
#pragma once

namespace reex {

void run_key_destructors(); // of the calling fiber, at its end
void snapshot_keys();       // before the first execution
void restore_keys();        // before every execution, while g.fibers is still that of the one before

} // namespace reex
