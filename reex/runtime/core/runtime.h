// The state of the execution under way, and of the process that makes it.
//
// Used on the one operating-system thread of the test process: on a fiber during an execution, or on the
// controller's stack between executions. The runtime's variables are not part of a snapshot: a restore leaves
// them alone, and reset_runtime (worker.cpp) sets those that belong to one execution. After a worker's death
// the next worker begins with the zygote's. The runtime allocates nothing, takes no lock, and has no
// thread-local variables.
#pragma once

#include <cstdint>

#include "reex/runtime/core/fiber.h"
#include "reex/shared/control.h"

namespace reex {

struct Runtime {
  // Of the process: set once, or when a worker is forked.
  ControlBlock* control = nullptr;
  ControlBlock* shared = nullptr; // with the search; the same where there is one worker
  bool controlled = false;        // in a worker
  bool forked_off = false;        // in a process that the test forked: it runs by itself
  bool in_place = false;          // in a worker that restores: the filter is on
  bool detail = false;            // record stacks: the execution is for a report

  // Of the execution: reset before each.
  bool active = false;   // an execution runs and we are not inside the runtime on its behalf
  bool recorded = false; // record steps: for a report, or for the self-check
  Fiber* current = nullptr;
  unsigned fibers = 0; // ids in use, main included
  unsigned live = 0;
  unsigned spinning = 0;
  std::uint32_t step = 0; // visible operations executed
  std::uint32_t hash = 0; // of these operations and their threads
  int exiting = -1;       // the fiber that runs the exit handlers
};

extern Runtime g;

// Marks the runtime's own work, in which nothing is a scheduling point.
class Inside {
public:
  Inside() : m_active(g.active) { g.active = false; }
  ~Inside() { g.active = m_active; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

private:
  bool m_active;
};

} // namespace reex
