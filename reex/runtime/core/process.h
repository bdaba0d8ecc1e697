// The life of the test process, as far as the other folders need it. Defined in worker.
#pragma once

#include "reex/search/search.h"

namespace reex {

// At the first pthread_create. In the zygote it never returns. In a worker it returns on the main fiber, once
// for every execution: the test goes on from here each time.
void become_zygote();

// Tells the parent that there is something to look at. Any process of the test.
void ring_doorbell();

// The search over the frontier in the shared memory. A worker or its zygote.
Search& search();

} // namespace reex
