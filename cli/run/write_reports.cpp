#include "cli/run/write_reports.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "cli/terminal/command_error.h"
#include "cli/terminal/output.h"
#include "report/ci/annotations.h"
#include "report/ci/junit.h"
#include "report/ci/markdown.h"
#include "report/ci/sarif.h"
#include "report/compare/shown_failure.h"
#include "report/html/page.h"

namespace reex {
namespace {

std::string report_text(ReportKind kind, const RunReport& report) {
  switch (kind) {
  case ReportKind::json:
    return run_json(report.runs, report.context);
  case ReportKind::junit:
    return junit_xml(report);
  case ReportKind::sarif:
    return sarif_json(report);
  case ReportKind::markdown:
    return markdown_comment(report);
  case ReportKind::html:
    return html_page(report);
  case ReportKind::github:
    return github_annotations(report);
  case ReportKind::shown:
    return shown_failure_text(report);
  case ReportKind::jsonl:
    break;
  }
  return "";
}

bool on_github() {
  const char* value = std::getenv("GITHUB_ACTIONS");
  return value != nullptr && std::string_view(value) == "true";
}

using File = std::shared_ptr<std::FILE>;

File open_log(const std::string& path) {
  File file(std::fopen(path.c_str(), "wbe"), [](std::FILE* open) {
    if (open != nullptr) std::fclose(open);
  });
  if (!file)
    throw UsageError(fmt::format("the report {} cannot be written ({}): give another path with --format",
                                 path, std::strerror(errno)));
  return file;
}

void append(const std::string& path, std::FILE* file, const std::string& lines) {
  if (std::fwrite(lines.data(), 1, lines.size(), file) != lines.size() || std::fflush(file) != 0)
    throw UsageError(fmt::format("the report {} cannot be written ({}): give another path with --format",
                                 path, std::strerror(errno)));
}

} // namespace

void write_reports(const FormatOptions& format, const RunReport& report, LostReports& lost) {
  bool annotated = false;
  for (const ReportFile& file : format.files) {
    if (file.kind == ReportKind::jsonl) continue;
    annotated = annotated || file.kind == ReportKind::github;
    lost.attempt([&] { write_report(file.path, report_text(file.kind, report)); });
  }
  if (annotated || !on_github()) return;
  const std::string lines = github_annotations(report);
  if (format.text)
    lost.attempt([&] { print(lines); });
  else
    std::fwrite(lines.data(), 1, lines.size(), stderr);
}

void check_report_paths(const FormatOptions& format) {
  for (const ReportFile& file : format.files)
    if (file.kind != ReportKind::github) check_report_path(file.path);
}

RunOutput::RunOutput(const FormatOptions& format) {
  check_report_paths(format);
  std::vector<std::pair<std::string, File>> files; // null for standard output
  for (const ReportFile& file : format.files)
    if (file.kind == ReportKind::jsonl)
      files.emplace_back(file.path, file.path == "-" ? nullptr : open_log(file.path));
  if (files.empty()) return;
  for (const auto& [path, file] : files) m_logs.push_back(file ? fileno(file.get()) : STDOUT_FILENO);
  events = std::make_unique<EventLog>([this, files](const std::string& lines) {
    for (const auto& [path, file] : files)
      lost.attempt([&] {
        if (file)
          append(path, file.get(), lines);
        else
          print(lines);
      });
  });
}

std::vector<LastWords> RunOutput::last_words(const std::string& said) const {
  std::vector<LastWords> words{{STDERR_FILENO, last_line(said)}};
  for (const int log : m_logs) words.push_back({log, EventLog::interrupted_line()});
  return words;
}

} // namespace reex
