// A finished run, for the reports that are written as a whole: JSON, JUnit, SARIF, Markdown, annotations,
// HTML.
#pragma once

#include <string>
#include <vector>

#include "reex/run/result.h"
#include "reex/run/verdict.h"
#include "report/change_excerpt.h"
#include "report/json.h"
#include "report/text/source_lines.h"

namespace reex {

struct RunReport {
  const std::vector<TestRun>& runs;
  JsonContext context;
  SourceLines& sources;
  const ChangeView* change = nullptr;    // null without a change under test
  std::vector<std::string> not_run = {}; // the names of selected tests that were not begun
  std::string root = "";                 // of the repository, absolute; "" if there is none
  std::string folder = "";               // the current folder; paths in commands are relative to it
  std::string program = "reex";          // as the user called it
  int status = 0;                        // the exit status
};

// The path of a source for a reader: relative to the repository, or to the current folder.
std::string shown_path(const RunReport& report, const std::string& path);

// "reex replay .reex/failures/KEY.reex"; "" if no schedule file was written.
std::string replay_command(const RunReport& report, const Failure& failure);
// The same in gdb, at the failing step.
std::string debug_command(const RunReport& report, const Failure& failure);

// The text of the failure as the terminal shows it, without colours.
std::string plain_failure_text(const RunReport& report, const TestRun& run, const Failure& failure);
// The lines of the test's verdict, likewise.
std::string plain_run_text(const RunReport& report, const TestRun& run);

// The frame of the user's code at which the failure or the finding is shown; null if none is known.
const Frame* place_of(const std::vector<ThreadPosition>& where);

// Whether the test had no threads while others had: it says nothing, and is no error.
bool is_beside_the_point(const RunReport& report, const TestRun& run);

// The verdict on the whole run: the one of its tests that matters most.
Verdict verdict_of_all(const std::vector<TestRun>& runs);

} // namespace reex
