// The loader's lock. dl_iterate_phdr holds it while it calls the test's function, and dlopen and dlclose hold
// it while they run initializers and destructors of libraries. These may stop at scheduling points. A thread
// that then needs the loader would wait for it in libc, where reex sees no wait.
//
// Callers: the running fiber, under control.
#pragma once

namespace reex {

// The caller is about to call dlopen or dlclose, and will have returned from it when its frame has gone.
// Waits until no other thread loads libraries or walks through their list, and takes the lock. Who loads
// gives it back in loading_ended (core/visible.h).
void begin_loading(void* pc, void* frame);

} // namespace reex
