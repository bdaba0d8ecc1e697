#include "report/ci/annotations.h"

#include <fmt/format.h>

#include "report/document/run_words.h"
#include "report/failure_text.h"
#include "report/text/bytes_text.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

std::string escaped(const std::string& bytes, bool property) {
  std::string text;
  for (const char c : escape_invalid_utf8(bytes)) {
    const bool special = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
    if (special)
      text += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      text += c;
  }
  return text;
}

std::string command(const RunReport& report, const char* level, const Frame* place, const std::string& title,
                    const std::string& message) {
  std::string at;
  if (place != nullptr)
    at = fmt::format("file={},line={},", escaped(shown_path(report, place->file), true), place->line);
  return fmt::format("::{} {}title={}::{}\n", level, at, escaped(title, true), escaped(message, false));
}

std::string of_run(const RunReport& report, const TestRun& run) {
  const std::string test = test_title(run.binary, run.name);
  std::string text;
  for (const Failure& failure : run.failures) {
    std::string message = short_thread_names(failure.message);
    if (const std::string replay = replay_command(report, failure); !replay.empty())
      message += "\nReplay it: " + replay;
    text +=
        command(report, "error", place_of(failure.where), fmt::format("{}: {}", test, failure.kind), message);
  }
  for (const Finding& finding : run.findings)
    text += command(report, "warning", place_of(finding.where), fmt::format("{}: {}", test, finding.kind),
                    short_thread_names(finding.message));
  const Verdict verdict = verdict_of(run);
  if (verdict == Verdict::inconclusive || verdict == Verdict::not_started || verdict == Verdict::error ||
      (verdict == Verdict::uncontrolled && !is_beside_the_point(report, run)))
    text +=
        command(report, "warning", nullptr, fmt::format("{}: {}", test, to_string(verdict)), headline(run));
  return text;
}

} // namespace

std::string github_annotations(const RunReport& report) {
  std::string text;
  for (const TestRun& run : report.runs) text += of_run(report, run);
  return text;
}

} // namespace reex
