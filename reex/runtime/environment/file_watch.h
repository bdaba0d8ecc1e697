// Lets the parent know what the test does to files, so that it can undo it (files/watch.h): a seccomp
// filter makes the kernel ask the parent before each call of shared/file_calls.h, in this process and in all
// that it starts. Where the kernel cannot do this, nothing is undone.
//
// Callers: watch_files, when the library is loaded; begin_with_these_files, the zygote; put_files_back, the
// zygote, and the controller between executions; put_files_back_and_wait, the controller.
//
// Cost: a question to the parent takes some ten microseconds.
#pragma once

namespace reex {

// `socket` leads to the parent; it is closed. `has_others`: returns when the other workers allow it.
void watch_files(int socket, bool has_others);
bool files_are_watched();

// The zygote: all executions begin with the files as they are now.
void begin_with_these_files();
// No process of an execution runs any more: the files are as they were then.
void put_files_back();
// The same, before this process waits for executions of other workers: a run that goes on may have left some
// to workers that have not started yet.
void put_files_back_and_wait();

} // namespace reex
