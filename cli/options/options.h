// The values of all options, from the command line, the environment and the configuration. resolve_settings()
// fills them.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/terminal/color.h"
#include "promotion/expect.h"
#include "reex/run/options.h"

namespace reex {

struct ChangeOptions {
  std::string base;
  std::optional<std::string> head;
  bool merge_base = false;
  std::string diff; // a file or "-"
  bool staged = false;
  bool worktree = false;
  bool all = false;       // no change: explore everything
  std::string repository; // "": discover it
  std::string compile_commands;
  bool no_cache = false;
  bool wait_for_impact = false;
  bool select = false;                                 // tests that reach nothing impacted are skipped
  std::optional<std::pair<std::string, unsigned>> why; // of `impact`: a file and a line

  bool given() const { return !base.empty() || head || merge_base || !diff.empty() || staged || worktree; }
};

// `shown` is for the process of a comparison, and no word of the user's: report/compare/shown_failure.h.
enum class ReportKind : std::uint8_t { json, jsonl, junit, sarif, markdown, html, github, shown };

// A report that is written to a file.
struct ReportFile {
  ReportKind kind;
  std::string path; // "-" is standard output
  bool operator==(const ReportFile&) const = default;
};

struct FormatOptions {
  std::vector<ReportFile> files;
  bool text = true;
};

// What the hook does when an error keeps it from a verdict.
enum class HookOnError : std::uint8_t { warn, block };

struct Options {
  std::set<std::string> given;     // keys of the options that were set in any way
  std::set<std::string> by_option; // those of them that were set on the command line
  ChangeOptions change;

  SearchStrategy strategy = k_default_strategy;
  std::optional<unsigned> bound = 2;
  std::string heuristic;            // canonical name; "" if none was named
  bool heuristic_by_option = false; // an option requires a change; a setting is ignored without one
  unsigned iterations = 0;          // of CAPP; 0: all
  std::uint64_t seed = 0;
  unsigned depth = 3;
  std::optional<Interesting> interesting; // nullopt: impacted if there is an impact, else shared
  std::optional<std::chrono::milliseconds> budget;
  bool uses_up_budget = true; // even if the bound is done; no option sets it
  std::optional<std::uint64_t> schedules;
  std::uint64_t max_steps = 20000;
  std::uint32_t slice = 500;
  std::optional<std::uint32_t> patience;
  std::chrono::milliseconds hang_after{10000};
  std::optional<std::uint64_t> memory_limit = std::uint64_t{4} << 30; // bytes
  unsigned jobs = 1;
  std::vector<PortfolioMember> portfolio;
  unsigned keep_going = 1;
  Accesses accesses = Accesses::racy;
  std::optional<Races> races; // nullopt: changed with a change, else fail
  bool strict_findings = false;
  std::string suppressions; // a file of ThreadSanitizer's; "" for none
  Isolation isolation = Isolation::automatic;
  Reduction reduction = Reduction::automatic;
  std::uint32_t audit = 64; // 0: none
  bool timeouts = false;
  bool sleeps_any = false;
  bool spurious = false;
  bool reuse = false;
  bool outcomes = false;
  std::optional<Shard> shard;
  std::string promote_from; // a JSON report
  std::string profile;      // what samplers have learned: a file that is read, or written
  bool partial = false;     // for merge: shards may be missing
  bool resume = false;
  bool until_fail = false;                   // run a command natively again and again
  std::chrono::milliseconds timeout{300000}; // of one such run
  std::string schedule_log;

  unsigned seeds = 6;      // of `compare`: randomized orders
  std::string contestants; // of `compare`: names with commas; "": all
  std::string label;       // of `compare`: what the comparison is called; "" for the test's name
  bool fresh = false;      // of `compare`: runs anew what an earlier one has run
  bool evaluation = false; // of `compare`: reports on the JSON of comparisons
  std::string published;   // of `compare`: published figures, for the evaluation

  std::string promote_to;                              // of `promote`: a new file; "": beside the test
  std::string promote_name;                            // of the new case; "": made of the test's name
  promotion::Expect expect = promotion::Expect::fails; // of a mended program
  bool in_product = false;                             // events may stand in other files than the test's
  bool external = false;                               // no events in the sources: they stand at operations

  std::string filter;
  bool list_tests = false;

  double confidence = 0.5;     // of `imunit`: the part of the logs that must agree
  unsigned native_logs = 0;    // of `imunit`: native runs to infer from; 0: one execution under reex
  unsigned sleep_scale = 3;    // of `imunit`: how many times as long their sleeps last
  bool region_printed = false; // of `imunit`: regions as the figure prints them
  bool verify = false;
  bool force = false;

  std::string
      build; // of `promote` and `imunit migrate`: what builds a copy of the project; "": of .reex.toml
  bool apply = false; // of both: writes the files; else the difference is shown only

  FormatOptions format;
  std::string output_folder;
  bool quiet = false;
  bool verbose = false;
  ColorMode color = ColorMode::automatic;
  bool dry_run = false;
  bool strict = false;

  std::chrono::milliseconds hook_budget{60000};
  HookOnError hook_on_error = HookOnError::warn;

  std::string binary_option; // --binary of `impact`
  std::string base_binary;   // the base's build of the test
  bool gdb = false;
  bool flags_compile = false;
  bool flags_link = false;
};

} // namespace reex
