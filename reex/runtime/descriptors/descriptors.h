// Descriptors that the test opened before its first thread. A worker that executes one schedule is a fork and
// shares them with its zygote and with all other executions: bytes left over by one would reach the next, and
// no reader would see the end of a pipe. So each such worker begins by putting a new object of the same kind
// and state behind the same number.
#pragma once

namespace reex {

// When the library is loaded: what is open now is somebody else's, and stays as it is.
void remember_inherited();
// socketpair has made two ends; nothing else tells which socket belongs to which.
void remember_pair(const int* ends);
// In the zygote, once: takes down what is open, and takes out what the pipes and pairs of sockets hold.
void remember_descriptors();
// The zygote had child processes then. They hold ends of pipes and sockets, which stay as they are.
bool had_children();
// In a worker, before its execution.
void renew_descriptors();

} // namespace reex
