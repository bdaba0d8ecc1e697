#include "report/replay_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/failure_text.h"
#include "report/text/bytes_text.h"
#include "report/text/text_layout.h"
#include "report/text/trace_rows.h"

namespace reex {
namespace {

std::string recorded(const ScheduleFile& file) {
  if (!file.failure_kind.empty()) return file.failure_kind;
  return file.exit ? fmt::format("a pass, exit status {}", *file.exit) : "a pass";
}

std::string indented(const std::string& text, const TerminalOptions& options) {
  std::string result;
  if (text.empty()) return result;
  for (const std::string& line : wrap(escape_for_terminal(text), options.width - 2))
    result += "  " + line + '\n';
  return result;
}

std::string heading(const char* word, Tone tone, const std::string& test, const std::string& what,
                    const TerminalOptions& options) {
  return fmt::format("{} {}: {}\n", options.style(tone, word), options.style(Tone::strong, test), what);
}

void mark_stack(std::vector<Frame>& stack, const std::vector<std::string>& changed) {
  for (Frame& frame : stack)
    if (std::binary_search(changed.begin(), changed.end(), line_of(frame))) frame.changed = true;
}

// What the file says of its execution. In another build the lines may be others, and the switches too.
void add_what_is_recorded(const ScheduleFile& file, const ReplayResult& result, Failure& execution) {
  if (result.rebuilt) return;
  mark_changed(execution, file);
  if (file.reduced == ScheduleFile::Reduction::none || result.verdict != ReplayResult::Verdict::failed)
    return;
  execution.reduced.emplace();
  execution.reduced->complete = file.reduced == ScheduleFile::Reduction::complete;
}

// A replay that passes or diverges has no failure. This makes one of it, so that its trace is shown in the
// same way.
Failure as_execution(const ReplayResult& result) {
  Failure execution = result.failure.value_or(Failure());
  if (execution.how.trace.empty()) execution.how = result.how;
  if (execution.stdout_text.empty()) execution.stdout_text = result.stdout_text;
  if (execution.stderr_text.empty()) execution.stderr_text = result.stderr_text;
  return execution;
}

} // namespace

void mark_changed(Failure& execution, const ScheduleFile& file) {
  for (TraceStep& step : execution.how.trace) mark_stack(step.stack, file.changed);
  for (ThreadPosition& position : execution.where) mark_stack(position.stack, file.changed);
}

std::string replay_text(const ScheduleFile& file, const ReplayResult& result, SourceLines& sources,
                        const TerminalOptions& options) {
  const std::string test = test_title(file.binary, file.test_name);
  Failure execution = as_execution(result);
  add_what_is_recorded(file, result, execution);
  std::string text;
  switch (result.verdict) {
  case ReplayResult::Verdict::failed: {
    const bool same = execution.kind == file.failure_kind;
    text = heading("FAILED", Tone::bad, test,
                   same ? fmt::format("{}, as recorded", execution.kind)
                        : fmt::format("{}; recorded was {}", execution.kind, recorded(file)),
                   options);
    text += indented(short_thread_names(execution.message), options);
    break;
  }
  case ReplayResult::Verdict::passed:
    text = heading("PASSED", Tone::good, test,
                   file.failure_kind.empty() ? std::string("as recorded")
                                             : fmt::format("recorded was {}", recorded(file)),
                   options);
    text += indented(short_thread_names(result.message), options);
    break;
  case ReplayResult::Verdict::diverged:
    text = heading("DIVERGED", Tone::doubtful, test, fmt::format("recorded was {}", recorded(file)), options);
    text += indented(short_thread_names(result.message), options);
    break;
  case ReplayResult::Verdict::not_started:
    text = heading("NOT STARTED", Tone::bad, test, "the test could not be started", options);
    text += indented(short_thread_names(result.message), options);
    break;
  case ReplayResult::Verdict::uncontrolled:
    text = heading("NOT REPLAYED", Tone::doubtful, test, "the test is not under control", options);
    text += indented(short_thread_names(result.message), options);
    break;
  }
  text +=
      fmt::format("  {}, {}\n", steps_text(execution.how), counted(execution.how.preemptions, "preemption"));
  for (const std::string& note : result.notes) text += indented("note: " + note, options);
  const bool show = result.verdict == ReplayResult::Verdict::failed ||
                    result.verdict == ReplayResult::Verdict::diverged || options.verbose;
  if (!options.quiet && show) text += execution_text(execution, nullptr, sources, options);
  return text;
}

} // namespace reex
