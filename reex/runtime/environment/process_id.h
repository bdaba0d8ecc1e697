// The numbers of the test's process and threads: the same in every execution. Kept over a restore; a worker
// has its zygote's.
#pragma once

#include <sys/types.h>

namespace reex {

// What getpid says: the number of the zygote, in every worker; in children of the test their own.
pid_t process_id();

void remember_process();            // the zygote
void remember_forker(pid_t worker); // in a process that the test forked

} // namespace reex
