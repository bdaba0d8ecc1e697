// The number of the processor on which a thread runs, the same in every execution: the kernel moves the
// process between processors, and runs all threads of the test on the same one.
//
// Callers: the running fiber.
#pragma once

namespace reex {

// One of the processors that the running thread may use. Threads have different ones as long as there are
// enough.
unsigned processor_number();

} // namespace reex
