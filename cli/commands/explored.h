// One binary, explored: what a run of several of them is put together from. run_command.cpp defines the
// functions.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/receipts/receipt.h"
#include "cli/subject/test_entries.h"
#include "reex/run/result.h"

namespace reex {

struct Explored {
  ExitStatus status = ExitStatus::passed;
  std::vector<TestRun> runs;
  std::string base;               // 40 digits; "" without a change
  bool several = false;           // the binary has more than one test
  std::vector<std::string> notes; // about the whole binary
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
};

// Explores the tests of the project, one after another. An error of one is said and kept in its status; the
// others are explored nevertheless. Prints the reports.
std::vector<EntryResult> explore_project(const Invocation& invocation, const ProjectTests& project,
                                         const ProjectRun& how);

} // namespace reex
