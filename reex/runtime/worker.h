// The life of the test process: the zygote stands at the first thread creation and forks workers; a worker
// executes schedules, in place or one; the zygote goes on from where a worker died.
#pragma once

namespace reex {

// At the first pthread_create. In the zygote it never returns. In a worker it returns on the main fiber, once
// for every execution: the test goes on from here each time.
void become_zygote();

} // namespace reex
