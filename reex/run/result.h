// The result of exploring one test. The explorer fills it in the parent process; the reports (terminal, JSON)
// and the schedule files are made from it. These are plain values; nothing here refers to the test's memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reex/run/gap.h"
#include "reex/run/run_error.h"
#include "reex/symbols/frame.h"

namespace reex {

// Why there was a context switch before a step.
enum class SwitchReason : std::uint8_t {
  none,
  preempted,
  blocked,
  finished,
  yielded,
  slept,
  spinning,
  slice_over,
  held // at an event, by its schedule
};
const char* to_string(SwitchReason reason);

// One visible operation of a recorded execution (docs/semantics.md: "Points", "Enabled", "Preemptions").
struct TraceStep {
  unsigned step = 0;        // ordinal, from 0
  int thread = 0;           // 0 is main; the others are numbered in order of creation
  std::string operation;    // "mutex lock", "atomic load", ...
  std::string object;       // "queue.lock", "mutex#1" (trace/object_names.h); "" if the operation has none
  std::vector<Frame> stack; // innermost frame first, inlined frames expanded
  SwitchReason reason = SwitchReason::none; // why the thread runs; none if it already ran before this step
  int from_thread = -1;                     // the thread that ran before, if there was a switch
  int enabled = 1;                          // number of enabled threads
  int woken = -1;                           // of a notification: the number of threads that it woke; -1: none
  std::string held_for =
      "";                 // the ordering for which the thread that ran before is held, if that is the reason
  std::uint64_t time = 0; // virtual, as the step begins: ns since the process began
};

// The innermost frame of the user's own code; null if there is none on the stack.
const Frame* user_frame(const std::vector<Frame>& stack);

// The place of a step: the same, but for helpers.
const Frame* shown_frame(const std::vector<Frame>& stack);

std::string line_of(const Frame& frame); // "file:line"

// The place of a thread when the execution failed.
struct ThreadPosition {
  int thread = 0;
  std::string state; // "failed here", "waits for mutex#2 held by thread 1", "finished", "runs", ...
  std::vector<Frame> stack;
  // Who acquired the object that the thread waits for, and where: "thread 1 locked it at a.cpp:7 (f())", ...;
  // "" if that is not known.
  std::string holders = "";
};

// A choice that is not the default choice: at choice point `point`, thread `thread` runs (or is woken, if a
// notification had to choose).
struct Decision {
  std::uint32_t point = 0; // ordinal of the choice point in the execution, from 0
  std::uint32_t step = 0;  // ordinal of the next trace step
  int thread = 0;
  // "run", "wake", "option" (when a signal came), "loop" (a suspected spin goes on), "spurious" (a wait ends
  // without a notification; a weak compare-exchange fails), or "reuse" (malloc gives the thread what it has
  // freed)
  std::string kind;
  // The same place, given by the progress of the thread that ran before.
  int left = -1;          // this thread; -1: not known
  std::uint32_t done = 0; // the number of operations that it had executed
};

// A plain access that was a visible operation because it had taken part in a data race.
struct PromotedAccess {
  std::string module;       // path
  std::uint64_t offset = 0; // in the file, of the byte behind the instruction
  std::string location;     // file:line, for readers

  bool operator==(const PromotedAccess&) const = default;
};

struct Schedule {
  std::vector<Decision> decisions; // in order; every other choice is the default choice
  std::vector<TraceStep> trace;    // the operations of the execution, or the first million of them
  std::uint64_t length = 0;        // how many it had
  unsigned preemptions = 0;
  // How often time passed while another thread could run (docs/semantics.md: "Time"). Natively this may be
  // improbable.
  unsigned times_passed = 0;
  std::uint32_t patience = 0; // slices in which time stood still at most
  std::uint64_t limit = 0;    // of steps, at which the failure shows; 0: it does without a limit
};

// The result of reducing a schedule (reex/replay/minimize.h).
struct Reduced {
  unsigned switches_before = 0; // choices that were not the default choice
  unsigned preemptions_before = 0;
  unsigned switches = 0; // after the reduction
  unsigned executions = 0;
  bool complete = false; // no single remaining choice can be left out
};

// The result of executing the failing schedule with the build of the base.
struct BaseProof {
  enum class Verdict : std::uint8_t { passes, fails, not_followed };
  Verdict verdict = Verdict::not_followed;
  std::string binary;  // absolute path
  std::string message; // why the schedule could not be followed, or how the execution ended instead; else ""
};
const char* to_string(BaseProof::Verdict verdict);

// Part `index` of the `count` parts of a run; the first part is 1.
struct Shard {
  std::uint32_t index = 1;
  std::uint32_t count = 1;
};

struct Failure {
  std::string key;            // 12 hex digits; the same in other runs: stable_key
  std::string kind;           // deadlock livelock assertion abort signal exception exit gtest race ...
  std::string message;        // one line, or a few
  std::uint64_t schedule = 0; // ordinal of the first execution with this failure, from 1
  std::uint64_t count = 0;    // number of executions with this failure
  // The position in the order of exploration. Positions compare lexicographically, also between shards.
  std::vector<std::uint64_t> order;
  Schedule how;
  std::optional<Reduced> reduced;    // set if `how` is a reduced schedule
  std::optional<BaseProof> base;     // set if a binary of the base was given
  std::string replay;                // path of the schedule file
  std::vector<ThreadPosition> where; // the failing thread first
  // For a memory error: where the block was freed and allocated. The states are "freed here", "allocated
  // here" and "allocated before the first thread" (without a stack).
  std::vector<ThreadPosition> memory;
  std::string stdout_text;
  std::string stderr_text;
  // `schedule` without those of earlier rounds; 0: there are none, or it is not known.
  std::uint64_t schedule_in_round = 0;
};

// An error of the test that does not make the execution fail (docs/semantics.md: "Verdicts").
struct Finding {
  std::string key;     // 12 hex digits; the same in other runs, and in builds that keep the functions
  std::string kind;    // "data-race", "never-joined", "destroyed-while-held", "unlocked-by-stranger",
                       // "woken-after-free", "gone-thread"
  std::string message; // one line: "data race on `counter`: a write by thread 1 and a read by thread 2"
  // The object concerned: a variable and what of it ("config.locked", "config+8"), "memory allocated ...", or
  // "" if it is not known.
  std::string object;
  std::uint64_t schedule = 0;        // ordinal of the first execution that showed it, from 1
  std::vector<ThreadPosition> where; // of a race: both accesses, the earlier first; state "writes 4 bytes"
  // Of a race: the operations that would have ordered the accesses, had they been stronger or later
  // (reex/trace/near_miss.h); one for each line, at most a few.
  std::vector<ThreadPosition> near_misses;
  // Of a race: atomic writes that would have ordered the accesses had they been executed there. A function
  // did without one that it makes at another time, after it looked at the object.
  std::vector<ThreadPosition> left_out;
  std::vector<std::uint64_t> order; // of that execution, as in a Failure
  // The choices of that execution, without a trace; null: none are known. The findings of an execution share
  // them: there may be hundreds of findings, and hundreds of thousands of choices.
  std::shared_ptr<const Schedule> how;
  std::string replay;                  // path of the schedule file; "" if it was not asked for
  std::string reason = "";             // why it does not count as a failure, if this is to be told
  bool may_be_ordered = false;         // the reason is code without hooks: with hooks in it, it may count
  std::uint64_t schedule_in_round = 0; // as in a Failure
};
// A failure or finding that the project's settings suppress: it is known, and does not count.
struct Suppressed {
  std::string kind; // that of a failure: "race" for a data race
  std::string key;
  std::string message;
  std::uint64_t schedule = 0;
  std::string reason;
  std::string by; // the place of the suppression, ".reex.toml:12"
};

// The lines of user code at which the sides of a finding are, "file:line", sorted.
std::vector<std::string> lines_of(const std::vector<ThreadPosition>& sides);
// Whether two findings are the same: they have the same key and the same lines.
bool same_place(const Finding& a, const Finding& b);

struct Outcome {
  std::string stdout_bytes; // everything written to descriptor 1
  std::optional<int> exit;  // nullopt if the execution did not exit
  std::string failure;      // kind of failure, "" if none
  std::uint64_t count = 0;
  unsigned preemptions = 0; // the fewest that reached it
  std::string replay;       // path of a schedule file that reaches it; "" if none was saved
  // The hash of the whole standard output, if stdout_bytes was read from a report that has only a part of it.
  std::string sha256 = "";
};

// A loaded module that is not instrumented. reex does not see its atomic operations and plain accesses.
struct UninstrumentedModule {
  std::string path;
  std::uint64_t operations = 0; // visible operations that it made in the counted executions
};

struct Control {
  unsigned threads = 0;                // the most threads of one execution, main and ended ones included
  std::uint64_t scheduling_points = 0; // over all executions
  std::string isolation;               // "restore" or "fork"
  std::string isolation_reason;        // why it is fork although nobody asked for it; "" otherwise
  std::vector<UninstrumentedModule> uninstrumented; // most operations first; without the language's libraries
  std::uint64_t operations_of_system = 0;           // made by the language's libraries
  std::uint64_t counted_executions = 0;             // the first executions, whose operations were counted
};

enum class EndReason : std::uint8_t {
  exhausted,
  bound,
  failure_limit,
  schedule_limit,
  iteration_limit, // what is left waits for a CAPP iteration that was not to be explored
  budget,
  not_begun, // the time was up before: no process was started
  interrupted,
  not_started,
  nondeterministic, // the same choices led to another execution: something is not under control
  refused,          // the test uses something that reex cannot control
  partial,          // merged from shards, some of which are missing
  races_differ,     // merged from shards that had different promoted accesses
  damaged,          // the test has overwritten the memory that it shares with reex
  error
};
const char* to_string(EndReason reason);

// Executions that ended without a verdict.
struct Inconclusive {
  std::uint64_t step_limit = 0;
  std::uint64_t watchdog = 0;
  std::string example; // where the first one stopped, one line
  std::uint64_t memory_limit = 0;
  std::uint64_t livelock = 0; // part of step_limit: every thread that could run seemed to spin

  std::uint64_t loops_cut = 0; // executions with a verdict, where a loop was left before its end

  std::uint64_t executions() const { return step_limit + watchdog + memory_limit; }
};

// An estimate of how many schedules with at most `bound` preemptions are left.
struct Left {
  std::optional<unsigned> bound;   // nullopt: no bound
  std::uint64_t executed = 0;      // executed so far
  std::optional<double> schedules; // left; 0 is exact; nullopt: too many to tell
  std::optional<double> seconds;   // at the speed so far
};

// The reduction does not hold for a test: an execution of the audit ended in a way in which no equivalent
// execution had ended. This is where it parted from the schedules that were executed before.
struct Refutation {
  unsigned step = 0;
  int thread = 0;
  std::string operation; // "" if it is not known
  std::string location;  // file:line (function), "" if it is not known
};

// What came of a schedule of IMUnit (docs/imunit.md).
struct ImunitResult {
  enum class Verdict : std::uint8_t { satisfied, infeasible, not_met };
  std::string schedule; // its name; "" if it has none
  std::string text;
  bool expects_infeasible = false;
  bool checks = false; // nobody was held
  Verdict verdict = Verdict::not_met;
  bool proved = false;         // of `infeasible`: in every schedule; otherwise in those within the bound
  std::uint64_t satisfied = 0; // executions that came to the end of the schedule and obeyed it
  std::uint64_t stuck = 0;     // executions in which it could not be obeyed: in no other count
  std::string stuck_example; // where the threads stood in the first of them, a line for each; "" if none was
  std::vector<std::string> vacuous; // orderings that held nobody, and events that were never reached
};
const char* to_string(ImunitResult::Verdict verdict);

struct LearnedProfile; // learned_profile.h

struct TestRun {
  std::string binary; // absolute path
  std::string name;   // the framework's name of the case, "" for a plain program
  std::vector<std::string> arguments;
  std::vector<std::string>
      modules;                   // the files that were mapped as its first thread began, the binary included
  std::string strategy;          // its name: reex/search/strategy.h
  bool sampled = false;          // the strategy samples schedules and claims no bound
  std::optional<unsigned> depth; // for pct
  std::string interesting;       // for surw: "shared" or "impacted"; else ""
  std::optional<unsigned> bound; // nullopt: no bound
  std::string heuristic;         // "" for Basic
  std::uint64_t seed = 0;
  unsigned keep_going = 1; // distinct failures; 0: no limit
  std::optional<Shard> shard;
  std::vector<std::pair<std::string, std::string>> identity; // for a shard; equal in all shards of a run
  std::uint64_t schedules = 0;
  std::uint64_t pruned = 0;   // executions cut short because an equivalent one is explored
  std::uint64_t followed = 0; // schedules of which the same was found in memory, without an execution
  std::uint64_t audited = 0;  // executions of what the reduction had left out
  std::optional<Refutation> refuted;
  std::optional<unsigned> bound_completed;
  bool exhausted = false;
  std::vector<Left> left; // lowest bound first; empty for strategies that sample
  double wall_seconds = 0;
  std::string
      condition_waits; // "2 waits, for example at a.cpp:7": spurious wake-ups were no choices; "": none
  double executions_per_second = 0;
  Control control;
  std::vector<Outcome> outcomes; // with --outcomes
  std::vector<Failure> failures; // those that come of findings (finding_kinds.h) last
  std::vector<Finding> findings; // the others
  std::vector<Suppressed> suppressed;
  unsigned rounds = 1;                             // docs/semantics.md: "Races and rounds"
  std::optional<std::uint64_t> schedules_in_round; // of the last round, if there are several and it is known
  unsigned promoted = 0;                           // the number of promoted accesses
  std::vector<PromotedAccess> promoted_accesses;
  Inconclusive inconclusive;
  std::optional<ImunitResult> imunit; // if the test has put a schedule in force
  std::vector<Gap> gaps;              // beyond those of `inconclusive`; the claims respect them
  EndReason ended = EndReason::error;
  std::shared_ptr<LearnedProfile> learned; // if it was asked for, and there is something
  std::string state_file;                  // a later run can continue from it; "" if there is none
  RunError error;                          // why the test was not explored as asked
  std::vector<std::string> notes;          // one line each
};

} // namespace reex
