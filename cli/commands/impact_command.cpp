#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "cli/commands/commands.h"
#include "cli/run/terminal_setup.h"
#include "cli/run/write_reports.h"
#include "cli/subject/binary.h"
#include "cli/subject/change.h"
#include "cli/terminal/command_error.h"
#include "cli/terminal/output.h"
#include "cli/terminal/waiting.h"
#include "impact/print.h"

namespace reex {
namespace {

// In a pipe nothing is cut off, unless COLUMNS says how much is shown.
std::size_t table_width() {
  constexpr std::size_t k_unlimited = 10000;
  const char* columns = std::getenv("COLUMNS");
  const bool limited = isatty(STDOUT_FILENO) != 0 || (columns != nullptr && *columns != '\0');
  return limited ? terminal_width(STDOUT_FILENO) : k_unlimited;
}

} // namespace

ExitStatus impact_command(const Invocation& invocation) {
  const Options& options = invocation.settings.options;
  std::string path = options.binary_option;
  if (!invocation.line.operands.empty()) {
    if (!path.empty() || invocation.line.operands.size() > 1)
      throw UsageError("impact takes one test binary: give one");
    path = invocation.line.operands.front();
  }
  if (!options.change.given())
    throw UsageError("impact needs a change: give --base REV or another change option");
  for (const ReportFile& file : options.format.files)
    if (file.kind != ReportKind::json)
      throw UsageError("impact is reported as text and json:PATH: give one of these");

  check_report_paths(options.format);

  std::optional<BinaryInfo> binary;
  if (!path.empty()) binary = require_binary(path);
  std::optional<Change> change;
  {
    const Waiting waiting("analysing the change", options.quiet);
    change = change_under_test(options.change, binary ? &*binary : nullptr, options.output_folder);
  }
  if (const auto& asked = change->impact.asked;
      asked && !std::filesystem::exists(std::filesystem::path(change->impact.root) / asked->file))
    throw UsageError("--why: there is no file " + options.change.why->first +
                     ": give its path from here, or from the root of the repository");
  if (options.format.text) print(impact_table(change->impact, table_width()));
  for (const ReportFile& file : options.format.files) {
    std::string text = impact_json(change->impact);
    if (!text.ends_with('\n')) text += '\n';
    write_report(file.path, text);
  }
  return ExitStatus::passed;
}

} // namespace reex
