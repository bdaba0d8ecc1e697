// Gives the workers of a run what samplers have learned in another one, and takes out what they learn
// (search/profile.h). Called by explore() in the parent process, when no process of the test runs.
#pragma once

#include "reex/run/learned_profile.h"
#include "reex/shared/control.h"
#include "reex/symbols/maps.h"

namespace reex {

// Into a new control block. The process of the test moves the addresses to where its memory lies.
void give_profile(ControlBlock& control, const LearnedProfile& profile);

// Of the run's only worker, when it has ended. Null: nothing was learned. Throws DamagedMemory.
std::shared_ptr<LearnedProfile> take_profile(const ControlBlock& control);

// A digest of the libraries and of the distances between them. Where it is the same, so are the distances of
// all that is mapped: the heap, and the stacks of threads.
std::string digest_of_libraries(const std::vector<MappedModule>& modules, const std::string& binary);

} // namespace reex
