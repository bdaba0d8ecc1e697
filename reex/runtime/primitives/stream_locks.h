// Streams that threads have locked by flockfile. While a thread has locked a stream, no other thread's call
// on it is enabled (core/enabled.h). The calls themselves lock streams too, but each of them is one
// operation.
//
// Callers: the worker.
#pragma once

namespace reex {

void snapshot_stream_locks(); // before the first execution
void restore_stream_locks();  // before every execution but the first

} // namespace reex
