// Whether the files that the test opens for reading have the same content in all executions. What another
// process writes, or an earlier execution has left, is not under control; that it was there is told (the gap
// "changed-file"). What an execution has written itself does not count, nor do /proc and /sys.
//
// Callers: the functions that open files; begin_seeing_files, the controller at the start of an execution.
//
// Cost: reads the first 64 KiB of each file that is opened.
#pragma once

namespace reex {

void begin_seeing_files();
// In a worker that restores: the execution is about to change files; whether it has.
void note_changed_files();
bool has_changed_files();

// `path` was opened for reading only, as `descriptor`, and nothing was read yet.
void see_file(const char* path, int descriptor);

} // namespace reex
