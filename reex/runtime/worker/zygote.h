// The zygote: the test process at its first thread creation. It forks workers and goes on from where a worker
// died.
#pragma once

#include "reex/shared/control.h"

namespace reex {

// At the first pthread_create. In the zygote it never returns. In a worker it returns on the main fiber, once
// for every execution: the test goes on from here each time.
void become_zygote();

// Ends the zygote; the parent learns why.
[[noreturn]] void stop_zygote(Finish why, const char* reason = nullptr);

// Tells the parent that there is something to look at.
void ring_doorbell();

} // namespace reex
