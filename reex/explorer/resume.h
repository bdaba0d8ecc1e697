// Continues an interrupted run from the control blocks that it left: checks that they fit, and resets what
// belonged to processes that have ended. Called by explore() in the parent process.
#pragma once

#include "reex/process/control_memory.h"
#include "reex/run/options.h"
#include "reex/shared/provenance.h"
#include "reex/symbols/maps.h"

namespace reex {

// Writes into a new control block which run it belongs to. `run` is the same for all workers of a run.
void note_provenance(ControlBlock& control, const ExploreOptions& options, std::uint64_t run);

// Adds the digest of the binary, unless the file is no longer the one that the run began with. Before that,
// only the same file counts as the same binary: most runs end soon, and to read a large binary takes longer
// than to start it. `digest` is set when it is needed first, for the other workers.
void note_binary(Provenance& provenance, const std::string& binary, std::string& digest);

// Prepares the control block of worker `worker` for new processes and sets its configuration to `config`;
// some limits may differ from those of the interrupted run. `shared` is the block of the first worker. Throws
// ResumeError if the block belongs to another binary, change or configuration, and DamagedMemory.
void take_over(ControlBlock& control, ControlBlock& shared, const ExploreOptions& options,
               const RunConfig& config, unsigned worker);

// Call it when the worker's processes have ended. It undoes or completes the change of the search that they
// left incomplete, and resets what described these processes. `worker` is the index of the worker in its
// search. Throws DamagedMemory.
void ready_for_new_processes(ControlBlock& control, ControlBlock& shared, unsigned worker);

// Checks that the modules are the same files at the same addresses as `known` says, and records them for a
// later run. Of the test's binary only the address counts here. If `known` is empty, it is set. Throws
// ResumeError.
void check_modules(ControlBlock& control, std::string& known, const std::vector<MappedModule>& modules,
                   const std::string& binary);

} // namespace reex
