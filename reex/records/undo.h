// Undoes what a process left half done (reex/search/undo_log.h), where that process may have overwritten the
// undo log itself.
#pragma once

#include "reex/shared/control.h"

namespace reex {

// Puts back what the transaction changed that did not come to its end. `own` is the block of the worker that
// has ended, `shared` the block with the search. Writes only between the records that the test process
// writes and the undo log of a block; throws DamagedMemory for any other place, before anything is changed.
void undo_checked(ControlBlock& own, ControlBlock& shared);

} // namespace reex
