// Scheduling points at uses of files: one object stands for all files and folders. Functions that only take
// paths are in the table of hidden state (accesses/hidden_state.def); here are those that open a file, or use
// an open one.
//
// Callers: the running fiber, before the call; begin_file_points, the controller.
//
// Cost: that of a visible operation.
#pragma once

namespace reex {

void begin_file_points(bool open_for_writing); // whether the test had opened files so before its first thread

// open with these flags (O_*) is about to be called. What lies in /proc, /sys and /dev is no file.
void open_point(const char* path, int flags, void* pc, void* frame);
// What an open file contains is about to be read. No point if no file was opened for writing.
void read_point(void* pc, void* frame);
// Files are about to be changed.
void write_point(void* pc, void* frame);
// An open file is about to be written: ordered with everything. The caller has a point of its own.
void file_is_written();

} // namespace reex
