// The state of the execution under way, and of the process that makes it.
//
// Callers: the only operating-system thread of the test process, on a fiber during an execution, or on the
// controller's stack between executions.
//
// Invariants: a snapshot does not contain the runtime's variables, so a restore leaves them alone.
// reset_runtime (worker.cpp) resets those that belong to one execution. After a worker's death, the next
// worker starts with the zygote's values. These rules hold for all variables of the runtime, unless a file
// says something else. The runtime allocates nothing in the heap, has no thread-local variables, and takes no
// lock except those of the shared search (search/lock.h).
#pragma once

#include <cstdint>

#include "reex/runtime/core/fiber.h"
#include "reex/shared/control.h"

namespace reex {

struct Runtime {
  // About the process: set once, or when a worker is forked.
  ControlBlock* control = nullptr;
  ControlBlock* shared = nullptr; // the block with the shared search; equals `control` if there is one worker
  bool controlled = false;        // this process is a worker
  bool forked_off = false;        // the test forked this process: it runs without control (schedule/alone.h)
  bool in_place = false;          // this worker restores between executions, under the system call filter
  bool detail = false;            // this worker makes a detailed execution, with stacks, for a report

  // About the execution: reset before each.
  bool active = false;   // an execution runs, and the runtime is not doing work of its own
  bool recorded = false; // steps are recorded: for a report, or for the self-check
  Fiber* current = nullptr;
  unsigned fibers = 0;  // number of slots in use, with main's
  unsigned created = 0; // number of threads so far, with main
  unsigned live = 0;
  unsigned spinning = 0;
  unsigned woken = 0;                // threads with a waker
  unsigned changing = 0;             // threads with Fiber::changing
  std::uint32_t loop_operations = 0; // operations of suspected loops that went on
  int goer = -1; // id of the thread whose loop went on, if no other has executed anything since; -1: none
  bool ranked = false;             // a thread has a rank (threads/scheduling.h)
  bool spun = false;               // in this execution, a thread was put back because it spins
  std::uint32_t unrest = 0;        // rises whenever a thread that does not spin can run
  std::uint32_t unrest_at_sum = 0; // unrest when memory was summed up for a livelock; 0: it was not
  std::uint64_t memory_at_sum = 0; // the sum
  std::uint32_t step = 0;          // visible operations that were executed
  std::uint64_t step_limit = 0;    // the most that may be
  bool beyond_limit = false;       // the execution goes on for a little (schedule/waits_in_vain.h)
  std::uint32_t hash = 0;          // hash of these operations and their threads
  bool connecting = false;         // a connection was asked for that the kernel did not make at once
  bool code_entered = false;       // in this execution: code without hooks (order/dormant_code.h)
  int exiting = -1;                // id of the fiber that runs the exit handlers; -1: none
};

extern Runtime g;

// The live threads, in the order of their creation. Loops over threads in the inner loop go through this
// list: what has ended costs nothing.
extern Fiber* g_alive[k_max_threads]; // the first g.live
struct AliveThreads {
  static Fiber** begin() { return g_alive; }
  static Fiber** end() { return g_alive + g.live; }
};
inline AliveThreads alive() { return {}; }

void forget_threads();          // only main is left, alive
void become_alive(Fiber& made); // the thread that was created last
void become_finished(Fiber& fiber);
void become_only_thread(); // the running one, in a process that the test has just forked

// Threads may do something in code that reex cannot look into: in every execution, or they have entered it
// in this one.
inline bool code_is_unseen_for_good() {
  return g.control->status.unseen_code || g.shared->status.unseen_code;
}
inline bool has_unseen_code() { return g.code_entered || code_is_unseen_for_good(); }

// In its scope the runtime does work of its own: nothing there is a scheduling point.
class Inside {
public:
  Inside() : m_active(g.active) { g.active = false; }
  ~Inside() { g.active = m_active && g.controlled; } // a process forked meanwhile is not under control
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

private:
  bool m_active;
};

} // namespace reex
