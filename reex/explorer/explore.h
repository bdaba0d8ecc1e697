// The explorer's front door, called by the command line in the parent process. It starts the test binary with
// libreex_rt.so preloaded, lets it explore schedules inside its own workers, and gathers the results. It
// prints nothing; what happens on the way is told to an Observer.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reex/run/result.h"
#include "reex/search/search.h"
#include "reex/search/strategy.h"

namespace reex {

enum class VisibleAccesses : std::uint8_t; // reex/shared/control.h

enum class Accesses : std::uint8_t { sync, racy, all };
enum class Races : std::uint8_t { off, report, fail };
enum class Isolation : std::uint8_t { automatic, restore, fork };

VisibleAccesses visible_accesses(Accesses accesses); // as the runtime calls them

// The files of reex that a test is started with.
struct RuntimeFiles {
  std::string library; // libreex_rt.so, preloaded
  std::string
      libtsan; // folder searched first by the loader, where our library is called libtsan.so.2; "" for none
};

// One of several explorations side by side.
struct PortfolioMember {
  std::string name; // as it was asked for
  SearchStrategy strategy = SearchStrategy::icb;
  std::string heuristic; // "" for Basic
  std::uint64_t seed = 0;
};

// What to explore and how. All processes and files are the parent's.
struct ExploreOptions {
  std::string binary;                 // path; made absolute by explore()
  std::vector<std::string> arguments; // of the test
  std::string test_name;              // GoogleTest's full name, "" for a plain program; the filter is added
  bool gtest = false;                 // the binary is a GoogleTest one: exit 1 with a FAILED line is "gtest"

  SearchStrategy strategy = SearchStrategy::icb;
  std::optional<unsigned> bound = 2; // preemptions; nullopt: none
  std::string heuristic;             // canonical name of heuristics/table.h, "" for Basic
  std::uint64_t seed = 0;
  unsigned depth = 3;                            // of pct
  Interesting interesting = Interesting::shared; // of surw; impacted: by `heuristic`
  std::optional<Shard> shard;                    // of the schedules
  std::optional<std::uint64_t> max_schedules;    // of all shards
  std::optional<std::chrono::steady_clock::time_point> deadline;
  std::uint64_t max_steps = 20000;                                    // visible operations of one execution
  std::optional<std::uint64_t> memory_limit = std::uint64_t{4} << 30; // bytes of the heap that one may add
  // Not empty: each explores by itself, in a process of its own, until one of them has failed or has
  // finished.
  std::vector<PortfolioMember> portfolio;
  unsigned jobs = 1;       // workers that share the search, k_max_workers at most
  unsigned keep_going = 1; // stop after so many distinct failures, 0: never
  Accesses accesses = Accesses::racy;
  Races races = Races::report;
  Isolation isolation = Isolation::automatic;
  Reduction reduction = Reduction::automatic;
  std::vector<PromotedAccess> promoted; // plain accesses that are visible operations from the start
  bool timeouts = false;                // a timed wait may end at any time
  bool spurious = false;                // spurious wake-ups and weak CAS failures are choices
  bool collect_outcomes = false;
  std::chrono::milliseconds hang_after{10000}; // no scheduling point for so long: the worker is ended

  RuntimeFiles runtime;
  std::string failures_directory; // schedule files are written here; "" writes none

  std::string
      schedule_log; // a line of JSON for each execution is written here; "" writes none (docs/json.md)

  // The control block is kept in this file, that --resume goes on from; "": in memory.
  std::string state_file;
  bool resume = false;     // go on from what is there
  std::string change_name; // of the change under test, to know it again

  // The bits (heuristics/match_bits.h: class, method, line, field) of one frame; empty without a change.
  std::function<std::uint8_t(const Frame&)> frame_bits;
};

struct Progress {
  std::uint64_t schedules = 0;
  std::uint64_t pending = 0; // schedules known to be left in the frontier
  std::vector<Left> left;    // estimated
  unsigned bound = 0;        // preemptions being explored
  std::uint64_t failures = 0;
  double seconds = 0;
};

class Observer {
public:
  virtual ~Observer() = default;
  virtual void progress(const Progress&) {}    // about ten times a second
  virtual void failure(const Failure&) {}      // as soon as it is known and symbolized
  virtual bool interrupted() { return false; } // asked about ten times a second; true ends the exploration
};

// Throws ResumeError (control_memory.h) if options.resume cannot be.
TestRun explore(const ExploreOptions& options, Observer& observer);

// Whether there is something to go on from; removes it, of all workers.
bool has_state(const std::string& state_file);
void remove_state(const std::string& state_file);

// Re-executes one schedule file. `status`: 0 the recorded outcome came again, 1 it failed as recorded,
// 7 diverged, as in docs/conventions (exit status).
struct ReplayResult {
  enum class Verdict : std::uint8_t { passed, failed, diverged, not_started };
  Verdict verdict = Verdict::not_started;
  std::string message;            // "diverged at step 12: expected ..., saw ..." or why it did not start
  std::optional<Failure> failure; // with the trace, when it failed
  Schedule how;                   // what was executed
  std::optional<int> exit;
  std::string stdout_text;
  std::string stderr_text;
  std::vector<std::string> notes; // "the binary was rebuilt since: ..."
  bool rebuilt = false;
  Accesses accesses = Accesses::racy;   // what it was executed with
  std::vector<PromotedAccess> promoted; // visible accesses of the execution
};

struct ScheduleFile; // reex/explorer/schedule_file.h
ReplayResult replay(const ScheduleFile& file, const RuntimeFiles& runtime);

} // namespace reex
