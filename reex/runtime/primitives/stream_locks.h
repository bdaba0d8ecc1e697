// Streams that threads have locked by flockfile. While a thread has locked a stream, no other thread's call
// on it is enabled (core/enabled.h). The calls themselves lock streams too, but each of them is one
// operation.
//
// Callers: the worker; what says so, the running fiber.
#pragma once

#include <cstdio>

namespace reex {

void snapshot_stream_locks(); // before the first execution
void restore_stream_locks();  // before every execution but the first

// The execution ends: libc must not wait for threads that do not run any more, as it flushes its streams.
void unlock_streams();

// By the running fiber, before libc takes the stream's lock, or all of them (null), in a call that is no
// visible operation on the stream: waits until no other thread has locked it. Returns whether others could
// run meanwhile.
bool await_stream(const FILE* stream, void* pc, void* frame);
// By the running fiber: the stream is closed, and another one may get its place.
void forget_stream(const FILE* stream);

} // namespace reex
