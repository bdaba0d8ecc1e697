// The memory that the parent (reex) and the test's processes share: configuration, the search's frontier,
// counters, outcomes, the failure being handed over. The parent creates it as a sparse file; libreex_rt.so
// maps it at start. Only the parts that are used take memory. Everything survives the death of a worker, and
// in a file that is not of memory the death of all.
//
// Where several test processes share a search (-j), each has a block of its own, and the search, its frontier
// and the promoted accesses are those of the first one.
//
// Who writes: `config` the parent, before the start. `status`, `search`, `outcomes`, `failure`, `trace` the
// one worker that runs, and its zygote while none runs. `pcs` the worker asks and the parent answers.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "heuristics/match_bits.h"
#include "reex/search/search.h"
#include "reex/shared/guide.h"
#include "reex/shared/limits.h"
#include "reex/shared/operation.h"

namespace reex {

inline constexpr std::uint64_t k_control_magic = 0x7265657800000004; // "reex", layout 4
inline constexpr char k_control_variable[] = "REEX_CONTROL_FD";
inline constexpr int k_where_signal = 64; // the parent asks a worker where it stands: Status::stuck_stack
inline constexpr char k_log_variable[] = "REEX_LOG_FD";
inline constexpr char k_shared_variable[] = "REEX_SHARED_FD"; // the first worker's block, for the others

enum class IsolationMode : std::uint8_t { automatic, restore, fork };
enum class Task : std::uint8_t { explore, replay };
// Which plain accesses are visible operations: none, those that took part in a data race, all.
enum class VisibleAccesses : std::uint8_t { sync, racy, all };

struct RunConfig {
  Task task = Task::explore;
  IsolationMode isolation = IsolationMode::automatic;
  VisibleAccesses accesses = VisibleAccesses::sync;
  bool races = false; // look for data races
  bool timeouts = false;
  bool spurious = false;
  bool collect_outcomes = false;
  SearchConfig search;
  std::uint64_t max_schedules = 0; // 0: no limit
  std::uint64_t max_steps = 0;
  std::uint64_t memory_limit = 0; // bytes of the heap that an execution may add; 0: no limit
  std::uint32_t keep_going = 1;   // distinct failures, 0: no limit
};

// How an execution ended.
enum class End : std::uint8_t {
  running,
  exited, // value: exit status
  deadlock,
  assertion,
  aborted,
  exception,
  signalled, // value: signal
  use_after_free,
  double_free,
  invalid_free,
  step_limit, // value: 1 if all threads that could run only spun
  watchdog,
  memory_limit,
  diverged,     // a replay, or a prefix that did not come again
  irreversible, // not an end: the execution is thrown away, restoring cannot take back what it did
  more_threads, // not an end: thrown away, more donors are needed
  pruned,       // cut short: an equivalent schedule was explored
};

// Why the zygote stopped.
enum class Finish : std::uint8_t {
  none,
  complete,
  failure_limit,
  schedule_limit,
  stopped,
  nondeterministic, // the self-check found it
  error
};

struct Status {
  std::atomic<std::uint32_t> doorbell; // futex: something for the parent to look at
  std::atomic<std::uint32_t> stop;     // the parent asks to stop after this execution
  std::atomic<std::int32_t> worker_pid;
  std::atomic<std::uint32_t> modules_known; // futex: the parent has read the zygote's memory map
  std::atomic<std::uint32_t> refused;       // the test uses what cannot be controlled: `refusal`
  std::atomic<std::uint32_t> killed_hung;   // the parent killed the worker: no progress
  std::atomic<std::uint64_t> schedules;
  std::atomic<std::uint64_t> pruned;          // executions cut short, in no other count
  std::atomic<std::uint64_t> of_other_shards; // executions that another shard counts, in no other count
  std::atomic<std::uint64_t> points;          // visible operations that a choice point stood before
  std::atomic<std::uint64_t> failed;          // executions
  std::atomic<std::uint32_t> distinct_failures;
  std::atomic<std::uint32_t> max_threads;
  std::atomic<std::uint64_t> step_limited;
  std::atomic<std::uint64_t> livelocked; // of those
  std::atomic<std::uint64_t> hung;
  std::atomic<std::uint64_t> memory_limited;
  std::atomic<std::uint64_t> restarted; // workers that were killed, and their executions made again
  Finish finish = Finish::none;
  IsolationMode isolation = IsolationMode::automatic; // in force
  std::uint64_t wanted_stack = 0;                     // bytes, of the largest thread that was asked for
  std::uint64_t stuck_stack[k_max_stack] = {};        // where the first execution stood that was cut short
  std::uint32_t stuck_depth = 0;
  std::uint32_t stuck_thread = 0;
  std::int64_t irreversible_call = -1;                // number of the system call that ended restoring
  std::uint64_t irreversible_stack[k_max_stack] = {}; // where it was made
  std::uint32_t irreversible_depth = 0;
  char refusal[160] = {}; // one line
  char reason[256] = {};  // one line on `isolation` or `finish`
  bool ready = false;     // the first thread was created under control
};

// One execution handed from worker to zygote: what it ended in.
struct Ending {
  End end = End::running;
  std::int32_t value = 0;
  std::uint32_t thread = 0;
  std::uint64_t key = 0; // dedupes failures within a run, from addresses
  char message[1024] = {};
};

struct TraceStep32 {
  std::uint64_t object;
  std::uint32_t first_pc; // into Trace::pcs
  std::uint16_t thread;
  std::uint16_t from;
  std::uint8_t depth;
  Operation operation;
  Leave leave;
  std::uint8_t enabled; // saturating
};

// What a thread did last, for deadlock reports: its pending operation and stack.
struct TracePosition {
  std::uint64_t object;
  std::uint32_t first_pc;
  std::uint8_t depth;
  Operation operation;
  std::uint8_t state;  // 0 unused, 1 can run, 2 blocked, 3 finished
  std::int16_t holder; // thread that holds the object, -1 if none or unknown
};

// Where a block of the heap was allocated or freed.
struct BlockEvent {
  bool known;
  std::uint16_t thread;
  std::uint8_t depth;
  std::uint32_t first_pc;
};

// The block of a memory error.
struct TraceBlock {
  std::uint64_t address;
  std::uint64_t size;
  BlockEvent allocated;
  BlockEvent freed;
};

// A detailed execution: filled when a failure (or an outcome) is executed once more for the report.
struct Trace {
  std::uint32_t steps = 0;
  std::uint32_t pcs_used = 0;
  std::uint32_t threads = 0;
  TraceBlock block = {};
  TracePosition positions[k_max_threads];
  TraceStep32 step[k_max_trace_steps];
  std::uint64_t pcs[k_max_trace_pcs];
};

struct Decisions {
  std::uint32_t count = 0;
  std::uint32_t preemptions = 0;
  Choice list[k_max_decisions];
};

// One operation of the first execution, or one that the second made instead.
struct Visit {
  std::uint64_t pc;
  std::uint32_t object; // by order of first touch, from 1; 0: none
  std::uint32_t first_pc;
  std::uint16_t thread;
  std::uint8_t depth;
  Operation operation;
};

// How an execution of the self-check ended.
struct CheckedEnd {
  End end = End::running;
  std::int32_t value = 0;
  std::uint64_t output_length = 0;
  std::uint64_t output_hash[2] = {0, 0};
};

enum class CheckState : std::uint8_t { none, recorded, passed };

// The first schedule is executed twice and has to do the same both times (runtime/self_check.cpp).
struct SelfCheck {
  CheckState state = CheckState::none;
  bool running = false;    // the execution under way is the second one
  bool restored = false;   // a restore went before it
  bool differs = false;    // the second: where and how is below
  bool confirming = false; // it differed after a restore: a fresh process shows whose fault that is
  bool restore_at_fault = false;
  std::uint32_t step = 0; // the first that differs; `steps`, if the second went on, or ended otherwise
  bool ended_early = false;
  Visit other{};
  CheckedEnd end[2];
  std::uint32_t steps = 0;
  std::uint32_t pcs_used = 0;
  Decisions plan;
  Visit visit[k_max_trace_steps];
  std::uint64_t pcs[k_max_trace_steps];
};

// An execution that is worth a report, handed to the parent: `state` 0 free, 1 ready to be read, back to 0 by
// the parent. It failed in a new way (`failed`), or made findings (Findings::handed to Findings::count), or
// both.
struct FailureSlot {
  std::atomic<std::uint32_t> state;
  bool due = false; // `saved` waits for its detailed execution, or for being handed over
  bool failed = false;
  Ending ending;   // of the execution that failed first
  Ending replayed; // of its detailed execution: the same, or the test is not deterministic
  std::uint64_t schedule = 0;
  std::uint32_t promoted = 0; // accesses that were, when it was executed: the first of Promoted::pc
  SchedulePosition position = {};
  std::uint32_t serial = 0;                                             // of the report
  std::uint32_t index = 0;                                              // into known failures
  std::uint64_t output_offset = 0, output_length = 0, error_length = 0; // in Outcomes::text
};

// Something that is reported without being a failure (semantics: "Verdicts").
enum class FindingKind : std::uint8_t { data_race, never_joined, destroyed_while_held, unlocked_by_stranger };
// What a thread did to the object of a finding.
enum class FindingAct : std::uint8_t {
  read,
  write,
  atomic_read,
  atomic_write,
  freed,
  created,
  held,
  destroyed,
  unlocked
};

struct FindingSide {
  std::uint64_t pc; // return address
  std::uint16_t thread;
  FindingAct act;
  std::uint8_t size;  // bytes, of an access
  std::uint8_t depth; // of the stack; 0: not known
  std::uint64_t stack[k_max_stack];
};

// A worker appends records; a detailed execution fills their stacks.
struct FindingRecord {
  std::uint64_t key; // tells findings of one run apart
  FindingKind kind;
  bool captured; // both stacks are there
  std::uint64_t object;
  std::uint64_t schedule; // ordinal of the execution
  FindingSide side[2];    // of a race: the earlier access, then the later one; else the first alone
};
inline constexpr unsigned k_max_findings = 4096;
inline constexpr unsigned k_finding_index = 4 * k_max_findings;

struct Findings {
  std::uint32_t count = 0;
  std::uint32_t handed = 0; // to the parent
  bool overflow = false;
  std::atomic<std::uint64_t> unchecked; // executions in which the room for race detection ran out
  std::uint16_t index[k_finding_index]; // by key; finding + 1
  FindingRecord record[k_max_findings];
};

// Instructions (return addresses) whose plain accesses are visible, because they took part in a data race.
inline constexpr unsigned k_max_promoted = 1u << 14;
struct Promoted {
  std::uint32_t count = 0;
  std::uint32_t proposed = 0; // behind them: what the next round adds, where several workers share the search
  std::uint32_t rounds = 0;   // searches begun anew since the set grew
  std::uint64_t pc[k_max_promoted];
};

// Those of the execution under way that took part in a race and are not visible yet.
inline constexpr unsigned k_max_unpromoted = 512;
struct Unpromoted {
  std::uint32_t count = 0;
  std::uint64_t pc[k_max_unpromoted];
};

struct KnownFailure {
  std::uint64_t key;
  std::uint64_t count; // executions; none where only those have failed so that another shard counts
  bool used;
};

struct OutcomeRecord {
  std::uint64_t hash[2];
  std::uint64_t text_offset;
  std::uint64_t text_length;
  std::uint64_t count;
  std::uint64_t decisions_offset; // Choice records in Outcomes::text
  std::uint32_t decisions_count;
  std::uint32_t promoted; // accesses that were, when the decisions were taken: the first of Promoted::pc
  std::uint32_t preemptions;
  std::int32_t value;
  End end;
};

struct Outcomes {
  std::uint32_t count = 0;
  bool overflow = false;
  std::uint64_t text_used = 0;
  std::uint32_t index[2 * k_max_outcomes]; // open addressing; outcome + 1
  OutcomeRecord record[k_max_outcomes];
  char text[k_max_outcome_text];
};

// The match bits of one return address: of the innermost user frame there (low four MatchBits), whether there
// is a user frame at all, and what the address gives to the on-stack bits.
struct PcBits {
  std::atomic<std::uint64_t> pc;
  std::uint8_t user_bits;
  std::uint8_t on_stack;
  bool has_user_frame;
};

struct PcTable {
  std::atomic<std::uint64_t> request;  // a pc the worker waits for, 0: none
  std::atomic<std::uint32_t> answered; // futex, rises with each answer
  PcBits entry[k_pc_table_size];
};

// Visible operations before which a thread stood at one return address, in the first executions.
struct OperationCount {
  std::uint64_t pc;
  std::uint64_t count;
};

// What a run is of, for one that goes on from it (explorer/resume.h). As hexadecimal text.
inline constexpr unsigned k_digest_text = 65;
struct Provenance {
  std::uint64_t run = 0; // the same in the blocks of all workers
  char binary[k_digest_text] = {};
  char change[k_digest_text] = {};
  char promoted[k_digest_text] = {}; // of the accesses that were so from the start
  char modules[k_digest_text] = {};  // where code lies; once it is known
  double seconds = 0;                // that were spent so far
};

struct ControlBlock {
  std::uint64_t magic = k_control_magic;
  std::uint64_t size = 0;
  RunConfig config;
  Provenance provenance;
  Status status;
  Ending ending; // of the last execution
  PcTable pcs;
  OperationCount operations[k_operation_places]; // open addressing
  KnownFailure known[k_known_failures];
  FailureSlot failure;
  Findings findings;
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
  Trace trace;
  Outcomes outcomes;
  FrontierStore frontier;
};

} // namespace reex
