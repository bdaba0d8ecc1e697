// The zygote: the test process from its first pthread_create on. It forks workers one by one, and when one
// dies, it continues from there.
//
// Callers: core/process.h declares become_zygote, which create_thread calls. stop_zygote may also be called
// before the first thread.
//
// Invariants: while a worker lives, the zygote only waits. When a worker has ended, recover() undoes its
// unfinished transaction before anything else. The zygote never executes the test further, so all workers
// start from the same state of the test.
//
// Cost: a fork for each worker.
#pragma once

#include "reex/shared/status.h"

namespace reex {

// Ends the zygote; `why` and `reason` tell the parent.
[[noreturn]] void stop_zygote(Finish why, const char* reason = nullptr);

} // namespace reex
