// How a run goes on from what an interrupted one left: whether it fits, and what of it belonged to processes
// that are gone.
#pragma once

#include "reex/explorer/control_memory.h"
#include "reex/explorer/explore.h"
#include "reex/symbols/maps.h"

namespace reex {

// In a new control block: what the run is of.
void note_provenance(ControlBlock& control, const ExploreOptions& options);

// Readies what was left for new processes, with `config`, of which the limits may be others. Throws
// ResumeError if it is of another binary, change or configuration.
void take_over(ControlBlock& control, const ExploreOptions& options, const RunConfig& config);

// Code has to lie where it lay. The first time it is noted. Throws ResumeError.
void check_modules(ControlBlock& control, const std::vector<MappedModule>& modules);

} // namespace reex
