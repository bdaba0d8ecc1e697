// The result of exploring one test: what the explorer hands to the reporters (terminal, JSON) and to the
// schedule files. Plain values, made in the parent process; nothing here refers to the test's memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reex/symbols/frame.h"

namespace reex {

// Why the processor went from one thread to another before a step.
enum class SwitchReason : std::uint8_t { none, preempted, blocked, finished, yielded, slept, spinning };
const char* to_string(SwitchReason reason);

// One visible operation of a recorded execution (semantics: "Points, enabledness, preemption").
struct TraceStep {
  unsigned step = 0;        // ordinal from 0
  int thread = 0;           // 0 is main, then in order of creation
  std::string operation;    // "mutex lock", "atomic load", ...
  std::string object;       // "mutex#1": kind and order of first touch; "" if the operation has none
  std::vector<Frame> stack; // innermost first, inlined frames expanded
  SwitchReason reason = SwitchReason::none; // how the step's thread came to run, none if it simply went on
  int from_thread = -1;                     // the thread that ran before, if reason is not none
  int enabled = 1;                          // how many threads could have run
};

// The innermost frame of the user's own code; null if the stack has none.
const Frame* user_frame(const std::vector<Frame>& stack);

// Where a thread stood when the execution failed.
struct ThreadPosition {
  int thread = 0;
  std::string state; // "failed here", "waits for mutex#2 held by thread 1", "finished", "runs", ...
  std::vector<Frame> stack;
  // Where what it waits for was acquired: "thread 1 locked it at a.cpp:7 (f())", ...; "" if that is not
  // known.
  std::string holders = "";
};

// A choice of a schedule that is not the default continuation: at choice point `point` thread `thread` runs
// (or, for a notification, thread `thread` is woken).
struct Decision {
  std::uint32_t point = 0; // ordinal of the choice point in the execution, from 0
  std::uint32_t step = 0;  // the trace step it stands before
  int thread = 0;
  std::string kind; // "run", "wake", or "option" (a weak compare-exchange fails)
  // The same place, told by the progress of the thread that ran before: it has executed so many operations.
  int left = -1; // -1: not known
  std::uint32_t done = 0;
};

// A plain access that was a visible operation because it had taken part in a data race.
struct PromotedAccess {
  std::string module;       // path
  std::uint64_t offset = 0; // in the file, of the byte behind the instruction
  std::string location;     // file:line, for people

  bool operator==(const PromotedAccess&) const = default;
};

struct Schedule {
  std::vector<Decision> decisions; // the switches, in order; everything else is the default continuation
  std::vector<TraceStep> trace;    // what the execution did
  unsigned preemptions = 0;
};

// What leaving out choices came to (explorer/minimize.h).
struct Reduced {
  unsigned switches_before = 0; // choices that are not the default continuation
  unsigned preemptions_before = 0;
  unsigned switches = 0; // now
  unsigned executions = 0;
  bool complete = false; // without any single one of those that are left the failure does not come
};

// The failing schedule, executed with another build of the test: that of the base.
struct BaseProof {
  enum class Verdict : std::uint8_t { passes, fails, not_followed };
  Verdict verdict = Verdict::not_followed;
  std::string binary;  // absolute path
  std::string message; // why it could not be followed, or how else it ended; "" otherwise
};
const char* to_string(BaseProof::Verdict verdict);

// One of `count` parts of a run, from 1.
struct Shard {
  std::uint32_t index = 1;
  std::uint32_t count = 1;
};

struct Failure {
  std::string key;            // stable across runs and rebuilds that keep the functions: 12 hex digits
  std::string kind;           // deadlock assertion abort signal exception exit gtest ...
  std::string message;        // one line, or a few
  std::uint64_t schedule = 0; // ordinal of the first execution that failed so, from 1
  std::uint64_t count = 0;    // executions that failed so
  // Where it stands in the order of exploration: compares lexicographically, across shards too.
  std::vector<std::uint64_t> order;
  Schedule how;
  std::optional<Reduced> reduced;    // `how` is a reduced schedule
  std::optional<BaseProof> base;     // where a binary of the base was given
  std::string replay;                // path of the schedule file
  std::vector<ThreadPosition> where; // the failing thread first
  // Of a memory error: where the block was freed and allocated; states "freed here", "allocated here",
  // "allocated before the first thread" (without a stack).
  std::vector<ThreadPosition> memory;
  std::string stdout_text;
  std::string stderr_text;
};

// Something wrong that is no failure of the execution it was seen in (semantics: "Verdicts").
struct Finding {
  std::string key;     // stable across runs and rebuilds that keep the functions: 12 hex digits
  std::string kind;    // "data-race", "never-joined", "destroyed-while-held", "unlocked-by-stranger"
  std::string message; // one line: "data race on `counter`: a write by thread 1 and a read by thread 2"
  std::string
      object; // what it happened to: a variable's name and offset, "memory allocated ...", "" if unknown
  std::uint64_t schedule = 0;        // ordinal of the first execution that showed it, from 1
  std::vector<ThreadPosition> where; // of a race: both accesses, the earlier first; state "writes 4 bytes"
};
// They are one: the same key, and the same lines of the user on both sides.
bool same_place(const Finding& a, const Finding& b);

struct Outcome {
  std::string stdout_bytes; // everything written to descriptor 1
  std::optional<int> exit;  // nullopt where the execution did not exit
  std::string failure;      // kind of failure, "" if none
  std::uint64_t count = 0;
  unsigned preemptions = 0; // the fewest that reached it
  std::string replay;       // path of a schedule file that reaches it, "" if none was saved
  std::string sha256 = ""; // of all of stdout, where stdout_bytes was read from a report and is not all of it
};

// A module that is loaded and not instrumented: its atomics and plain accesses are not seen.
struct UninstrumentedModule {
  std::string path;
  std::uint64_t operations = 0; // visible ones that it made, in the executions counted
};

struct Control {
  unsigned threads = 0;                // most threads alive or finished in one execution, main included
  std::uint64_t scheduling_points = 0; // over all executions
  std::string isolation;               // "restore" or "fork"
  std::string isolation_reason;        // why fork, where it was not asked for; "" otherwise
  std::vector<UninstrumentedModule> uninstrumented; // the language's own libraries left out; most first
  std::uint64_t operations_of_system = 0;           // made inside those
  std::uint64_t counted_executions = 0;             // whose operations these are: the first ones
};

enum class EndReason : std::uint8_t {
  exhausted,
  bound,
  failure_limit,
  schedule_limit,
  budget,
  interrupted,
  not_started,
  nondeterministic, // the same choices led elsewhere: something is not under control
  refused,          // the test uses what cannot be controlled
  partial,          // joined from shards of which some are missing
  races_differ,     // joined from shards that did not have the same scheduling points
  error
};
const char* to_string(EndReason reason);

// Executions that ended without a verdict of their own.
struct Inconclusive {
  std::uint64_t step_limit = 0;
  std::uint64_t watchdog = 0;
  std::string example; // where the first one stood, one line
  std::uint64_t memory_limit = 0;
  std::uint64_t livelock = 0; // of step_limit: all threads that could run only spun

  std::uint64_t executions() const { return step_limit + watchdog + memory_limit; }
};

// An estimate: how many schedules with at most `bound` preemptions are still to be executed.
struct Left {
  std::optional<unsigned> bound;   // nullopt: none
  std::uint64_t executed = 0;      // of those, so far
  std::optional<double> schedules; // 0 is exact; nullopt: too many to tell
  std::optional<double> seconds;   // at the speed so far
};

struct TestRun {
  std::string binary; // absolute path
  std::string name;   // GoogleTest's name, "" for a plain program
  std::vector<std::string> arguments;
  std::string strategy;          // its name: search/strategy.h
  bool sampled = false;          // the strategy draws schedules and claims no bound
  std::optional<unsigned> depth; // of pct
  std::string interesting;       // of surw: "shared" "impacted"; else ""
  std::optional<unsigned> bound; // nullopt: none
  std::string heuristic;         // "" for Basic
  std::uint64_t seed = 0;
  unsigned keep_going = 1; // distinct failures, 0: no limit
  std::optional<Shard> shard;
  std::vector<std::pair<std::string, std::string>> identity; // of a shard: what all of its run have in common
  std::uint64_t schedules = 0;
  std::uint64_t pruned = 0; // executions cut short, since an equivalent one was explored
  std::optional<unsigned> bound_completed;
  bool exhausted = false;
  std::vector<Left> left; // lowest bound first; empty for a sample
  double wall_seconds = 0;
  double executions_per_second = 0;
  Control control;
  std::vector<Outcome> outcomes; // filled under --outcomes
  std::vector<Failure> failures;
  std::vector<Finding> findings;
  bool findings_fail = false; // the user asked that findings like these fail the test
  unsigned rounds = 1;        // searches, each with the racing accesses found before as visible operations
  unsigned promoted = 0;      // plain accesses that became visible operations
  std::vector<PromotedAccess> promoted_accesses; // these
  Inconclusive inconclusive;
  EndReason ended = EndReason::error;
  std::string state_file;         // a later run can go on from it; "" if none was written
  std::string error;              // one line when the test could not be explored; "" otherwise
  std::vector<std::string> notes; // one line each
};

} // namespace reex
