// Record "status": the bells, the counters and the state of one test process.
//
// Thread safety: the worker and its zygote write the counters. The parent writes `stop`, `modules_known`,
// `killed_hung` and the places of `dormant_code`. The atomic members may be read at any time, the others when
// their writer has rung the doorbell.
#pragma once

#include <atomic>
#include <cstdint>

#include "reex/shared/config.h"
#include "reex/shared/limits.h"

namespace reex {

// Why the zygote stopped.
enum class Finish : std::uint8_t {
  none,
  complete,
  failure_limit,
  schedule_limit,
  stopped,
  nondeterministic, // the self-check found it
  unsupported,      // the test is of a kind that cannot be controlled: `reason`
  error             // of the runtime, or of the machine: `reason`
};

enum class Hurry : std::uint32_t { none, asked, given_way, a_few };

// An executable mapping of a library without hooks (runtime/order/dormant_code.h).
struct DormantCode {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  bool entered = false; // in any execution, beside other threads
  bool settled = false; // in a round in which this makes no difference any more
};

struct Status {
  std::atomic<std::uint32_t> doorbell;  // futex: something for the parent to look at
  std::atomic<std::uint32_t> stop;      // the parent asks to stop after this execution
  std::atomic<std::int32_t> worker_pid; // for people who debug reex; the parent asks the kernel instead
  // How often the parent shall have read the memory map, and has (a futex): for the zygote, and again
  // whenever code came that it does not know.
  std::atomic<std::uint32_t> modules_wanted;
  std::atomic<std::uint32_t> modules_known;
  std::atomic<std::uint32_t> refused;     // the test uses what cannot be controlled: `refusal`
  std::atomic<std::uint32_t> killed_hung; // the parent killed the worker: it made no progress
  std::atomic<std::uint64_t> schedules;
  std::atomic<std::uint64_t> pruned;          // executions cut short; in no other count
  std::atomic<std::uint64_t> followed;        // schedules followed in memory alone; in no other count
  std::atomic<std::uint64_t> audited;         // executions of the audit; in no other count
  std::atomic<std::uint64_t> of_other_shards; // executions that another shard counts; in no other count
  std::atomic<std::uint64_t> points;          // visible operations that were executed
  std::atomic<std::uint64_t> failed;          // executions
  std::atomic<std::uint32_t> distinct_failures;
  std::atomic<std::uint32_t> max_threads;
  std::atomic<std::uint64_t> step_limited;
  std::atomic<std::uint64_t> livelocked; // of those
  std::atomic<std::uint64_t> loops_cut;  // executions that left a suspected loop before its end
  std::atomic<std::uint64_t> hung;
  std::atomic<std::uint64_t> memory_limited;
  std::atomic<std::uint64_t> restarted; // workers that were killed, and their executions made again
  std::atomic<std::uint32_t>
      restores_at_fault; // in the first worker's block: all workers execute in fork mode
  // In the first worker's block: whether the first execution shall give up its long limit, because half of
  // the budget is over, or has given it up for a few others (runtime/worker/step_limit.h).
  std::atomic<Hurry> hurry;
  std::atomic<std::uint32_t> patience; // in the first worker's block (runtime/worker/patience.h); 0: unknown
  Finish finish = Finish::none;
  IsolationMode isolation = IsolationMode::automatic; // in force
  std::uint64_t wanted_stack = 0;                     // bytes, of the largest thread that was asked for
  std::uint64_t stuck_stack[k_max_stack] = {};        // where the first inconclusive execution stood
  std::uint32_t stuck_depth = 0;
  std::uint32_t stuck_thread = 0;
  std::int64_t irreversible_call = -1;                // number of the system call that ended restoring
  std::uint64_t irreversible_stack[k_max_stack] = {}; // where it was made
  std::uint32_t irreversible_depth = 0;
  char refusal[160] = {};                      // one line
  char reason[256] = {};                       // one line about `isolation` or `finish`
  std::uint64_t known_code[k_known_code] = {}; // digests of what was loaded when the parent read the map
  std::uint32_t known_code_count = 0;
  DormantCode dormant_code[k_dormant_code] = {};
  std::uint32_t dormant_code_count = 0;
  bool unseen_code = false; // threads may talk in code that is not instrumented (semantics: "Reduction")
  bool code_came = false;   // libraries were loaded by a worker that restores, or such code was (the same)
  bool worker_left = false; // the worker has ended by itself: its exit status is the runtime's word
  bool ready = false;       // the first thread was created under control
  bool forked = false;      // the test has forked a process
};

} // namespace reex
