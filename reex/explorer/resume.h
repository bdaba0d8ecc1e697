// How a run goes on from what an interrupted one left: whether it fits, and what of it belonged to processes
// that are gone.
#pragma once

#include "reex/process/control_memory.h"
#include "reex/run/options.h"
#include "reex/symbols/maps.h"

namespace reex {

// In a new control block: what the run is of. `run` is the same in those of all its workers.
void note_provenance(ControlBlock& control, const ExploreOptions& options, std::uint64_t run);

// Readies what was left of a worker for new processes, with `config`, of which the limits may be others.
// `shared` is the block of the first worker. Throws ResumeError if it is of another binary, change or
// configuration.
void take_over(ControlBlock& control, ControlBlock& shared, const ExploreOptions& options,
               const RunConfig& config);

// The worker's processes have ended: takes back what they left half done, and what was theirs alone.
void ready_for_new_processes(ControlBlock& control, ControlBlock& shared);

// Code has to lie where it lay. The first time it is noted. Throws ResumeError.
void check_modules(ControlBlock& control, const std::vector<MappedModule>& modules);

} // namespace reex
