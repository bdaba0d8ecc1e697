// The loader's lock. dl_iterate_phdr holds it while it calls the test's function, which may stop at a
// scheduling point. A thread that loads or unloads a library then would wait for it in libc, where reex sees
// no wait.
//
// Callers: the running fiber, under control.
#pragma once

namespace reex {

// Waits until no other thread walks through the list of libraries.
void wait_for_walks(void* pc, void* frame);

} // namespace reex
