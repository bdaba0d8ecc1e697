#include "report/document/run_report.h"

#include <algorithm>

#include "reex/run/finding_kinds.h"
#include "report/failure_text.h"
#include "report/finding_text.h"
#include "report/terminal.h"
#include "report/text/paths.h"
#include "report/text/shell_quote.h"

namespace reex {
namespace {

constexpr std::size_t k_width = 100;

TerminalOptions plain(const RunReport& report) {
  TerminalOptions options;
  options.width = k_width;
  options.program = report.program;
  options.folder = report.folder;
  return options;
}

std::string command(const RunReport& report, const Failure& failure, std::vector<std::string> words) {
  if (failure.replay.empty()) return "";
  words.insert(words.begin(), report.program);
  words.push_back(path_within(failure.replay, report.folder));
  return shell_command(words);
}

} // namespace

std::string shown_path(const RunReport& report, const std::string& path) {
  const std::string within = path_within(path, report.root);
  return within != path ? within : path_within(path, report.folder);
}

std::string replay_command(const RunReport& report, const Failure& failure) {
  return command(report, failure, {"replay"});
}

std::string debug_command(const RunReport& report, const Failure& failure) {
  return command(report, failure, {"replay", "--gdb"});
}

std::string plain_failure_text(const RunReport& report, const TestRun& run, const Failure& failure) {
  const TerminalOptions options = plain(report);
  const std::string title = test_title(run.binary, run.name);
  if (row_of_failure(failure.kind) == nullptr)
    return failure_text(failure, title, report.change, report.sources, options);
  TestRun alone;
  alone.failures = {failure};
  const std::string text = failing_findings_text(alone, title, report.sources, options);
  return text.substr(std::min(text.find_first_not_of('\n'), text.size()));
}

std::string plain_run_text(const RunReport& report, const TestRun& run) {
  return run_text(run, plain(report));
}

const Frame* place_of(const std::vector<ThreadPosition>& where) {
  for (const ThreadPosition& position : where)
    if (const Frame* frame = user_frame(position.stack); frame != nullptr) return frame;
  return nullptr;
}

bool is_beside_the_point(const RunReport& report, const TestRun& run) {
  return verdict_of(run) == Verdict::uncontrolled && run.error.kind != ErrorKind::uncontrolled &&
         std::any_of(report.runs.begin(), report.runs.end(),
                     [](const TestRun& other) { return verdict_of(other) != Verdict::uncontrolled; });
}

Verdict verdict_of_all(const std::vector<TestRun>& runs) {
  // A test without threads says nothing about the others; one that is out of control does.
  for (const Verdict one :
       {Verdict::error, Verdict::interrupted, Verdict::failed, Verdict::not_started, Verdict::inconclusive})
    if (std::any_of(runs.begin(), runs.end(), [&](const TestRun& run) { return verdict_of(run) == one; }))
      return one;
  const auto out_of_control = [](const TestRun& run) { return run.error.kind == ErrorKind::uncontrolled; };
  if (std::any_of(runs.begin(), runs.end(), out_of_control)) return Verdict::uncontrolled;
  for (const Verdict one : {Verdict::no_failure_found, Verdict::passed})
    if (std::any_of(runs.begin(), runs.end(), [&](const TestRun& run) { return verdict_of(run) == one; }))
      return one;
  return runs.empty() ? Verdict::interrupted : Verdict::uncontrolled;
}

} // namespace reex
