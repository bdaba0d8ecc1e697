// The zygote: the test process at its first thread creation. It forks workers and goes on from where a worker
// died.
#pragma once

#include "reex/shared/control.h"

namespace reex {

// Ends the zygote; the parent learns why.
[[noreturn]] void stop_zygote(Finish why, const char* reason = nullptr);

} // namespace reex
