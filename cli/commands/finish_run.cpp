#include <fmt/format.h>

#include "cli/commands/explored.h"
#include "cli/terminal/output.h"
#include "reex/explorer/explore.h"
#include "reex/run/version.h"
#include "report/text/source_lines.h"

namespace reex {

ExitStatus finish_run(const std::vector<Explored>& all, const Options& options,
                      const TerminalOptions& terminal, ExitStatus status, RunOutput& output) {
  std::vector<TestRun> runs;
  DiskSourceLines sources;
  RunReport report{.runs = runs,
                   .context = {version(), "", all.size() > 1, {}},
                   .sources = sources,
                   .folder = terminal.folder,
                   .program = terminal.program,
                   .status = static_cast<int>(status)};
  for (const Explored& one : all) {
    runs.insert(runs.end(), one.runs.begin(), one.runs.end());
    JsonContext& context = report.context;
    context.notes.insert(context.notes.end(), one.notes.begin(), one.notes.end());
    context.several_tests = context.several_tests || one.several;
    if (context.base.empty()) context.base = one.base;
    context.skipped.insert(context.skipped.end(), one.skipped.begin(), one.skipped.end());
    if (report.change == nullptr && one.change) report.change = &*one.change;
    if (report.root.empty()) report.root = one.root;
    report.not_run.insert(report.not_run.end(), one.not_run.begin(), one.not_run.end());
  }
  write_reports(options.format, report, output.lost);
  status = output.lost.status(status);
  if (output.events) output.events->finished(runs, static_cast<int>(status));
  for (const Explored& one : all) {
    if (!output.lost.any())
      for (const std::string& state : one.finished_states) remove_state(state);
    else if (!one.finished_states.empty())
      say(fmt::format("the run's state is kept, to write the report again: {}", one.resume_command));
    if (one.runs.empty()) continue;
    std::vector<std::string> kept;
    if (output.lost.any()) kept = one.finished_states;
    for (const TestRun& run : one.runs)
      if (!run.state_file.empty()) kept.push_back(run.state_file);
    pack_states(kept, one.runs.front().binary);
  }
  return status;
}

} // namespace reex
