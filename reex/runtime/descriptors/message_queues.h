// POSIX message queues (semantics: "Names and sharing"). They are the runtime's own and known only within the
// test's process, like named semaphores. A restore brings them back; a new worker has its zygote's.
//
// Callers: the running fiber; message_queue_ready, the scheduler.
#pragma once

#include "reex/runtime/core/fiber.h"

namespace reex {

// The queues' part of is_enabled. The value of the pending operation says whether it waits.
bool message_queue_ready(const Pending& pending);

bool is_message_queue(int descriptor);

void snapshot_message_queues();
void restore_message_queues();

} // namespace reex
