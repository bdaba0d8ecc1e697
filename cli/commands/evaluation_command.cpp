// `compare --evaluation`: from the JSON of comparisons on several subjects to one page.
#include "cli/commands/commands.h"
#include "cli/run/write_reports.h"
#include "cli/terminal/command_error.h"
#include "cli/terminal/output.h"
#include "report/compare/comparison_json.h"
#include "report/compare/evaluation_report.h"

namespace reex {
namespace {

Evaluation read_evaluation(const Invocation& invocation) {
  Evaluation evaluation;
  try {
    const std::string& published = invocation.settings.options.published;
    if (!published.empty()) evaluation.published = read_published(published);
    for (const std::string& path : invocation.line.operands) {
      Subject subject{read_comparison(path), {}};
      subject.findings = analyse(subject.comparison);
      const bool regression =
          evaluation.published && evaluation.published->regressions.contains(subject.comparison.label);
      (regression ? evaluation.regressions : evaluation.subjects).push_back(std::move(subject));
    }
  } catch (const ComparisonFileError& error) {
    throw UsageError(error.what());
  }
  evaluation.command = invocation.settings.options.label;
  return evaluation;
}

} // namespace

ExitStatus evaluation_command(const Invocation& invocation) {
  const FormatOptions& format = invocation.settings.options.format;
  if (invocation.line.operands.empty())
    throw UsageError("--evaluation needs the JSON of comparisons: reex compare --evaluation REPORT...");
  for (const ReportFile& file : format.files)
    if (file.kind != ReportKind::markdown && file.kind != ReportKind::html && file.kind != ReportKind::json)
      throw UsageError(
          "an evaluation is reported as text, markdown:PATH, html:PATH and json:PATH: give one of these");
  check_report_paths(format);
  const Evaluation evaluation = read_evaluation(invocation);
  if (format.text) print(evaluation_text(evaluation));
  for (const ReportFile& file : format.files)
    write_report(file.path, file.kind == ReportKind::html   ? evaluation_page(evaluation)
                            : file.kind == ReportKind::json ? evaluation_json(evaluation)
                                                            : evaluation_markdown(evaluation));
  return ExitStatus::passed;
}

} // namespace reex
