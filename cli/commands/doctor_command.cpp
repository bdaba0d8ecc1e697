#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "cli/commands/commands.h"
#include "cli/run/terminal_setup.h"
#include "cli/subject/binary.h"
#include "cli/subject/change.h"
#include "cli/subject/kernel_features.h"
#include "cli/subject/machine.h"
#include "cli/subject/test_checks.h"
#include "cli/subject/tools.h"
#include "cli/terminal/command_error.h"
#include "cli/terminal/output.h"
#include "reex/run/version.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

constexpr std::size_t k_width = 80;
constexpr std::size_t k_indent = 10; // of what a check found

struct Word {
  const char* text;
  Tone tone;
};

Word word_for(Health health) {
  switch (health) {
  case Health::good:
    return {"ok", Tone::good};
  case Health::note:
    return {"note", Tone::doubtful};
  case Health::missing:
    return {"missing", Tone::bad};
  }
  return {"", Tone::plain};
}

// The first line follows what is already there.
std::string hanging(const std::string& text, std::size_t indent) {
  std::string result;
  for (const std::string& line : wrap(text, k_width - indent))
    result += (result.empty() ? "" : std::string(indent, ' ')) + line + '\n';
  return result;
}

std::string settings_text(const std::vector<Setting>& settings) {
  constexpr std::size_t k_columns = 34;
  std::string text;
  for (const Setting& setting : settings) {
    const std::string value = setting.value.empty() ? "-" : setting.value;
    text += fmt::format("  {:<18}{:<14}", setting.name, value);
    if (value.size() < 14)
      text += hanging(setting.origin, k_columns);
    else // a long value has its origin on the next line
      text += fmt::format("\n{}{}", std::string(k_columns, ' '), hanging(setting.origin, k_columns));
  }
  return text;
}

std::string checks_text(const Checks& checks, const Style& style) {
  std::string text;
  for (const Check& check : checks) {
    const Word word = word_for(check.health);
    text += fmt::format("  {}", style(word.tone, fmt::format("{:<8}", word.text))) +
            hanging(fmt::format("{}: {}", check.name, check.found), k_indent);
    if (check.health != Health::good)
      text += std::string(k_indent, ' ') + "-> " + hanging(check.remedy, k_indent + 3);
  }
  return text;
}

bool works(const Checks& checks) {
  return std::none_of(checks.begin(), checks.end(),
                      [](const Check& check) { return check.health == Health::missing; });
}

} // namespace

ExitStatus doctor_command(const Invocation& invocation) {
  const auto& operands = invocation.line.operands;
  if (operands.size() > 1) throw UsageError("doctor takes one test binary: give one, or none");
  const Options& options = invocation.settings.options;
  std::optional<BinaryInfo> binary;
  if (!operands.empty()) binary = require_binary(operands.front());
  const Style style = terminal_options(options, invocation.program).style;
  const std::string folder =
      !options.output_folder.empty()
          ? options.output_folder
          : discover_repository(options.change, binary ? &*binary : nullptr).value_or(".");

  std::string text = fmt::format("reex {}\n\n{}\n{}", version(), style(Tone::strong, "Settings"),
                                 settings_text(invocation.settings.origins));
  bool fine = true;
  const auto show = [&](const std::string& title, const Checks& checks) {
    text += fmt::format("\n{}\n{}", style(Tone::strong, title), checks_text(checks, style));
    fine = fine && works(checks);
  };
  show("Machine", check_machine(folder));
  show("Kernel features", check_kernel_features());
  show("Tools", check_tools());
  if (binary) show(binary->path, check_test(*binary));
  print(text);
  return fine ? ExitStatus::passed : ExitStatus::usage;
}

} // namespace reex
