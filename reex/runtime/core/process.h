// The parts of the test process's life that other wings need. worker defines them.
#pragma once

#include "reex/search/search.h"

namespace reex {

// Called at the first pthread_create. In the zygote it never returns. In a worker it returns on the main
// fiber, once for each execution: the test continues from here each time.
void become_zygote();

// Tells the parent that there is something to read. Any process of the test may call it.
void ring_doorbell();

// The search over the frontier in shared memory. For a worker and its zygote.
Search& search();

} // namespace reex
