// Binaries that were explored, and what becomes of them: the reports of the whole run, and its exit status.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/receipts/receipt.h"
#include "cli/run/write_reports.h"
#include "cli/subject/test_entries.h"
#include "reex/run/result.h"
#include "report/change_excerpt.h"
#include "report/terminal_options.h"

namespace reex {

// One binary.
struct Explored {
  ExitStatus status = ExitStatus::passed;
  std::vector<TestRun> runs;
  std::string base;                 // 40 digits; "" without a change
  bool several = false;             // the binary has more than one test
  std::vector<std::string> notes;   // about the whole binary
  std::optional<ChangeView> change; // nullopt without a change
  std::string root;                 // of the repository; "" if there is none
  std::vector<std::string> not_run; // tests that were not begun
  std::vector<std::string> skipped; // tests that can reach nothing impacted (--select)
  std::string why_all;              // why --select can skip none; "" if it can, or is not asked for
  // The states that nobody needs once the reports are written, and the command that would write them again.
  std::vector<std::string> finished_states;
  std::string resume_command;
};

// What is said of one [[test]].
struct EntryResult {
  std::string name;
  Explored explored;
  std::optional<Receipt> receipt; // it was not explored: this says that it passed
  bool skipped = false;           // none of its sources changed
  bool unexplored = false;        // the budget ended before its turn
};

struct ProjectRun {
  bool use_receipts = false;   // the hook's: what has passed before is not repeated
  bool resumable = true;       // a run that ends early keeps its state, and says how to go on
  std::string by = "reex run"; // for the receipts that it leaves
  // The tree that the files on disk are, for receipts; "" for none, nullopt if it is to be found out.
  std::optional<std::string> tree;
  std::optional<std::chrono::milliseconds> budget; // of all of them together
  bool uses_up_budget = true;                      // even if the bound is done
  bool somebody_waits = false; // at a terminal the progress is shown, even if the run is quiet otherwise
};

// Explores the tests of the project, one after another. An error of one is said and kept in its status; the
// others are explored nevertheless. Prints what comes of each.
std::vector<EntryResult> explore_project(const Invocation& invocation, const ProjectTests& project,
                                         const ProjectRun& how, RunOutput& output);

// `reex` without a binary: all tests of the project, with their reports.
ExitStatus run_project(const Invocation& invocation);

// Writes the reports of the whole run, and then removes the states that nobody needs any more. Returns the
// exit status: the given one, or that a report is lost.
ExitStatus finish_run(const std::vector<Explored>& all, const Options& options,
                      const TerminalOptions& terminal, ExitStatus status, RunOutput& output);

} // namespace reex
