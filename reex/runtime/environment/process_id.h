// The numbers of the test's process and threads, the same in every execution. The zygote sets the variables.
// No restore changes them; a worker has those of its zygote.
#pragma once

#include <sys/types.h>

#include "reex/runtime/core/fiber.h"

namespace reex {

// What getpid returns: in every worker the number of the zygote; in children of the test their own.
pid_t process_id();

// What gettid returns in the thread, and the number of the thread where it does; -1: none that was created.
pid_t thread_id(const Fiber& fiber);
int thread_with_id(pid_t id);

void remember_process(); // in the zygote
// In a process that the test forked: by whom. This thread is the first of the new process.
void remember_forker(pid_t worker, unsigned thread);

} // namespace reex
