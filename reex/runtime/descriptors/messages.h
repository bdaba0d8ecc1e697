// Messages with control data. In a worker that restores, they may carry descriptors that a restore takes back
// (kept_descriptors.h). In credentials, the number that the test knows of its process stands for the
// worker's.
//
// Callers: the running fiber.
#pragma once

namespace reex {

struct SystemCall;

// Whether a restore takes back what becomes of the messages that the call sends: where they lead, and what
// they carry.
bool is_kept_inside(const SystemCall& call);
// Sends or receives. `answer` as of make_kept.
long transfer(const SystemCall& call);

} // namespace reex
