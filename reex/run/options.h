// The options of an exploration, as the command line has understood them. All folders of the parent process
// share these types. They are plain values; nothing here refers to the test's memory.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reex/frameworks/framework.h"
#include "reex/run/learned_profile.h"
#include "reex/run/result.h"
#include "reex/search/search.h"
#include "reex/search/strategy.h"

namespace reex {

enum class Accesses : std::uint8_t { sync, racy, all };
// changed: races of the change fail the test, and the others are reported.
enum class Races : std::uint8_t { off, report, changed, fail };
enum class Isolation : std::uint8_t { automatic, restore, fork };

// The files of reex that a test needs at its start.
struct RuntimeFiles {
  std::string library; // libreex_rt.so, preloaded
  // The folder that the loader searches first; in it, reex's library has the name libtsan.so.2. "" for none.
  std::string libtsan;
};

// One of several explorations that run at the same time.
struct PortfolioMember {
  std::string name; // as the user wrote it
  SearchStrategy strategy = SearchStrategy::icb;
  std::string heuristic; // "" for Basic
  std::uint64_t seed = 0;
};

// What to explore and how. Paths are those that the parent process sees.
struct ExploreOptions {
  std::string binary;                 // path; made absolute by explore()
  std::vector<std::string> arguments; // of the test
  // The framework's full name of the case, "" for a plain program. What chooses the case is added to the
  // arguments.
  std::string test_name;
  Framework framework = Framework::none; // that reports failed checks

  SearchStrategy strategy = SearchStrategy::icb;
  std::optional<unsigned> bound = 2; // preemptions; nullopt: no bound
  // When the bound is done, the search goes on with the next one: until the deadline, if it is to be used up,
  // or until the limit of schedules; else for as long as the bound took, but at least so long and at most a
  // minute.
  bool deepens = false;
  bool uses_up_time = true;
  std::chrono::milliseconds deepens_for{5000};
  std::string heuristic;   // canonical name of heuristics/table.h, "" for Basic
  unsigned iterations = 0; // of CAPP that are explored; 0: all. The search then does not deepen
  std::uint64_t seed = 0;
  unsigned depth = 3; // for pct
  // For surw. With `impacted`, `heuristic` selects the interesting operations.
  Interesting interesting = Interesting::shared;
  std::optional<Shard> shard;                 // the part of the schedules that this run explores
  std::optional<std::uint64_t> max_schedules; // of all shards together
  // explore() begins nothing after the deadline, unless it continues a run. An execution that has not come to
  // its end by then goes on until `first_deadline` if it is the first one, and that is later.
  std::optional<std::chrono::steady_clock::time_point> deadline;
  std::optional<std::chrono::steady_clock::time_point> first_deadline;
  // The deadline is of a turn among others: the search may go on in a later one, so there is no time to use
  // up.
  bool deadline_ends_turn = false;
  std::uint32_t slice = 500; // visible operations of a time slice; 0: none
  // Slices at whose ends time stands still although somebody waits for it. nullopt: as the first execution
  // shows.
  std::optional<std::uint32_t> patience;
  std::uint64_t max_steps = 20000; // visible operations of one execution
  // Not 0: the user set no limit. Then this is the limit of the first execution, and others may be ten times
  // as long as the first one if that is more than max_steps.
  std::uint64_t first_max_steps = 0;
  // Not 0: a first execution that is longer lets a few others go first, which have the limit max_steps. If
  // none of them fails, explore() begins anew and lets it come to its end.
  std::uint64_t gives_way_after = 0;
  // A few others have come to no end of their own: the first execution may use more of the time before it is
  // thrown away for others.
  bool others_are_long = false;
  std::optional<std::uint64_t> memory_limit = std::uint64_t{4} << 30; // heap bytes that one execution may add
  // If this is not empty, each member explores independently, in its own process, until one of them has found
  // the failures asked for or has finished.
  std::vector<PortfolioMember> portfolio;
  unsigned jobs = 1;       // workers that share the search; at most k_max_workers
  unsigned keep_going = 1; // stop after this many distinct failures; 0: never
  Accesses accesses = Accesses::racy;
  Races races = Races::fail;
  Isolation isolation = Isolation::automatic;
  Reduction reduction = Reduction::automatic;
  std::uint32_t audit = 64; // of what the reduction leaves out, one in so many is executed; 0: none
  std::vector<PromotedAccess> promoted; // plain accesses that are visible from the first round on
  bool timeouts = false;                // a timed wait may end at any time
  bool sleeps_any = false;              // a sleep may return at once
  bool spurious = false;                // spurious wake-ups and weak CAS failures are choices
  bool reuse = false;                   // whether a thread gets what it has freed again is a choice
  bool code_is_entered = false; // libraries without hooks are from the start as if somebody were in them
  bool collect_outcomes = false;
  std::chrono::milliseconds hang_after{10000}; // reex ends a worker that makes no progress for this time

  RuntimeFiles runtime;
  std::string failures_directory; // for schedule files; "": write none
  // Whether a finding gets a schedule file. Empty: none does.
  std::function<bool(const Finding&)> keeps_schedule;
  // Whether the finding makes the test fail for certain: then the search does not deepen. Empty: none does.
  std::function<bool(const Finding&)> settles;
  // Whether a failure is suppressed: it does not count for keep_going. Empty: none is.
  std::function<bool(const Failure&)> is_suppressed;

  // The file for the log of executions, one line of JSON for each (docs/json.md); "": write none.
  std::string schedule_log;

  // The file that holds the control block; --resume continues from it. "": the block is in memory.
  std::string state_file;
  bool resume = false;     // continue from `state_file`
  std::string change_name; // identifies the change under test, for --resume and for `reex merge`

  bool learns = false; // sets TestRun::learned; of a strategy that only samples, with one worker
  // What samples are drawn from, as long as no races beyond its own are found; null: they learn for
  // themselves.
  std::shared_ptr<const LearnedProfile> profile;

  // Returns the match bits of one frame (heuristics/match_bits.h: class, method, line, field). Empty without
  // a change.
  std::function<std::uint8_t(const Frame&)> frame_bits;
};

} // namespace reex
