// The folder /proc/self/task: it lists the threads of the test. The kernel knows none of them, so their names
// take the place of its own entries. Where the listing stands is the position of the descriptor, as for the
// kernel; so rewinddir and a restore need nothing else.
//
// Callers: hidden_state.cpp, in the place of readdir.
//
// Cost: one system call for each entry of any folder.
#pragma once

#include <dirent.h>

namespace reex {

bool lists_threads(int descriptor);
// What readdir returns for such a folder.
dirent* next_thread(int descriptor);

} // namespace reex
