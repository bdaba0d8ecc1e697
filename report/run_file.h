// Reads the JSON report of a run (docs/json.md), for `reex merge` and --promote-from.
//
// Callers: the command line, in the parent process, on any thread.
//
// Invariants: the reader ignores unknown members, and reads only format 1. It does not read estimates. It
// reads failures and findings only of shards, because only their reports contain them in full.
//
// Cost: the whole file is in memory, as text and as JSON.
//
// Errors: RunFileError, one line that says what happened and what to do.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "reex/run/result.h"

namespace reex {

struct RunFile {
  std::string name; // as the user gave it
  std::string base; // 40 digits; "" without a change
  bool several_tests = false;
  std::vector<std::string> notes;   // about the whole run
  std::vector<std::string> skipped; // by --select
  std::vector<TestRun> runs;
};

struct RunFileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws if the file cannot be read or is not a report.
RunFile read_run_file(const std::string& path);
// `name` is the file's name for error messages.
RunFile parse_run_file(const std::string& text, const std::string& name);

} // namespace reex
