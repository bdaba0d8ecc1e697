#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/run/terminal_setup.h"
#include "cli/run/write_reports.h"
#include "cli/subject/change.h"
#include "cli/terminal/command_error.h"
#include "cli/terminal/output.h"
#include "cli/verdict/run_status.h"
#include "reex/run/finding_kinds.h"
#include "reex/run/version.h"
#include "report/failure_text.h"
#include "report/finding_text.h"
#include "report/merge.h"
#include "report/terminal.h"

namespace reex {
namespace {

std::vector<RunFile> read_all(const std::vector<std::string>& paths) {
  std::vector<RunFile> files;
  for (const std::string& path : paths) files.push_back(read_run_file(path));
  return files;
}

std::string section(const TestRun& run, SourceLines& sources, const TerminalOptions& terminal) {
  const std::string title = test_title(run.binary, run.name);
  std::string text = run_text(run, terminal) + outcomes_text(run, terminal) + suppressed_text(run, terminal);
  for (const Failure& failure : run.failures)
    if (row_of_failure(failure.kind) == nullptr)
      text += '\n' + failure_text(failure, title, nullptr, sources, terminal);
  text += failing_findings_text(run, title, sources, terminal);
  return text + findings_text(run, title, sources, terminal);
}

// Says what to do if the status is neither a pass nor a failure.
std::string status_line(ExitStatus status, const std::vector<TestRun>& runs) {
  for (const TestRun& run : runs) {
    if (run.ended == EndReason::races_differ && status == ExitStatus::inconclusive)
      return "the shards found different races, and so had different scheduling points: run them again with "
             "--promote-from and the JSON report of this merge";
    if (!run.error.text.empty() && status != ExitStatus::failed) return run.error.text;
  }
  return status == ExitStatus::inconclusive ? "the bound was not explored in full by all shards" : "";
}

} // namespace

ExitStatus merge_command(const Invocation& invocation) {
  const Options& options = invocation.settings.options;
  if (invocation.line.operands.empty())
    throw UsageError("merge needs the JSON reports of the shards: reex merge REPORT...");
  for (const ReportFile& file : options.format.files)
    if (file.kind == ReportKind::jsonl)
      throw UsageError("merge has no events to log: leave jsonl out, or give json:PATH");
  check_report_paths(options.format);
  std::vector<RunFile> files;
  std::vector<TestRun> runs;
  try {
    files = read_all(invocation.line.operands);
    runs = merge_shards(files, options.partial);
  } catch (const std::runtime_error& error) { // RunFileError, MergeError
    throw UsageError(error.what());
  }
  const RunFile& first = files.front();
  const std::vector<std::string> skipped = skipped_tests(files);
  const TerminalOptions terminal = terminal_options(options, invocation.program);
  DiskSourceLines sources;
  if (options.format.text) {
    std::string text;
    for (const TestRun& run : runs) text += section(run, sources, terminal) + (runs.size() > 1 ? "\n" : "");
    print(text + total_text(runs, terminal) + skipped_text(skipped, terminal));
  }
  const ExitStatus status = run_status(runs, options.strict, false);
  LostReports lost;
  write_reports(options.format,
                {.runs = runs,
                 .context = {version(), first.base, first.several_tests, first.notes, skipped},
                 .sources = sources,
                 .root = discover_repository(options.change, nullptr).value_or(""),
                 .folder = terminal.folder,
                 .program = terminal.program,
                 .status = static_cast<int>(status)},
                lost);
  if (const std::string line = status_line(status, runs); !line.empty()) say(line);
  return lost.status(status);
}

} // namespace reex
