// What the parent does to the search for a worker whose processes have ended. Same effect as Search::recover
// and Search::abandon (reex/search/search.h), over memory that is checked first.
//
// Thread safety: other workers may use the search meanwhile. The locks of the dead worker are given back
// last.
#pragma once

#include "reex/shared/control.h"

namespace reex {

// Undoes what the worker left half done, and gives back its locks. `worker` is its index. Throws
// DamagedMemory.
void recover_search(ControlBlock& own, ControlBlock& shared, std::uint32_t worker);

// After recover_search: the others no longer wait for the execution that the worker was at. It is lost.
// False: another worker has the search's lock, so that nothing was done; to be tried again. Does not wait.
bool abandon_search(ControlBlock& shared, std::uint32_t worker);

} // namespace reex
