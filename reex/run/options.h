// What to explore and how, as the command line has understood it: the shapes that the rooms of the parent
// process share. Plain values; nothing here refers to the test's memory.
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

enum class Accesses : std::uint8_t { sync, racy, all };
enum class Races : std::uint8_t { off, report, fail };
enum class Isolation : std::uint8_t { automatic, restore, fork };

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

} // namespace reex
