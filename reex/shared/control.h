// The control block: the memory that the parent (reex) and the processes of a test share. It is composed of
// records, each in a header of its own. The parent creates it as a sparse file; libreex_rt.so maps it at
// start. Only the parts that are used take memory. It survives the death of a worker, and as a file on disk
// the death of all processes.
//
// Who uses it: the runtime as it is. The parent reads it through reex/records only, because the test may
// overwrite it at any moment.
//
// Who writes: `config` and `provenance` the parent. `pcs` is asked by the worker and answered by the parent.
// All else is written by the one worker that runs, or by its zygote while no worker runs. Where several test
// processes share a search (-j), each has a block of its own, and search, frontier and promoted accesses are
// those of the first block.
//
// Invariants: `frontier` comes last, and the undo log is last in it, because the undo log names places by
// their distance before it.
#pragma once

#include <atomic>
#include <cstdint>

#include "reex/search/search.h"
#include "reex/shared/audit.h"
#include "reex/shared/config.h"
#include "reex/shared/decisions.h"
#include "reex/shared/ending.h"
#include "reex/shared/findings.h"
#include "reex/shared/guide.h"
#include "reex/shared/imunit.h"
#include "reex/shared/known_failures.h"
#include "reex/shared/limits.h"
#include "reex/shared/match_table.h"
#include "reex/shared/operation.h"
#include "reex/shared/operation_counts.h"
#include "reex/shared/outcomes.h"
#include "reex/shared/promoted.h"
#include "reex/shared/protocol.h"
#include "reex/shared/provenance.h"
#include "reex/shared/report.h"
#include "reex/shared/self_check.h"
#include "reex/shared/status.h"
#include "reex/shared/trace.h"
#include "reex/shared/unexplored.h"

namespace reex {

struct ControlBlock {
  std::uint64_t magic = k_control_magic;
  std::uint64_t size = 0;
  RunConfig config;
  Provenance provenance;
  Status status;
  Ending ending; // of the last execution
  PcTable pcs;
  OperationCounts operations;
  KnownFailure known[k_known_failures];
  FailureSlot failure;
  Findings findings;
  Unexplored unexplored;
  ImunitRecord imunit;
  Promoted promoted;
  std::uint32_t promoted_known = 0; // of them, to the worker
  Unpromoted unpromoted;
  Decisions plan;  // what to execute next, then: what was executed
  Decisions saved; // of the failure being handed over
  Guide guide;
  std::atomic<Debugger> debugger{Debugger::none};
  SearchState search; // with promoted and frontier: of the first worker, and shared by all
  SearchWorker own;
  SelfCheck check;
  AuditRecord audit;
  Trace trace;
  Outcomes outcomes;
  FrontierStore frontier;
};

} // namespace reex
