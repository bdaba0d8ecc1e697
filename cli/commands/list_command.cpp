#include <fmt/format.h>

#include <array>

#include "cli/commands/commands.h"
#include "cli/options/similar.h"
#include "cli/subject/binary.h"
#include "cli/subject/tests_of_binary.h"
#include "cli/terminal/command_error.h"
#include "cli/terminal/output.h"
#include "heuristics/table.h"
#include "reex/search/strategy.h"

namespace reex {
namespace {

std::string strategies_text() {
  std::string text;
  for (const StrategyRow& row : strategies()) text += fmt::format("  {:<8}{}\n", row.name, row.description);
  return text;
}

std::string heuristics_text() {
  std::string text;
  for (const Heuristic& row : heuristics()) {
    text += fmt::format("  {:<8}{}{}\n", row.name, row.description,
                        row.name == default_heuristic().name ? " (default with a change)" : "");
  }
  text += fmt::format("  {:<8}{}\n", k_auto_heuristic, "by the change: some of these together");
  text += "Several together, as LOA+FA: a schedule comes first if one of them keeps all of it.\n";
  return text;
}

} // namespace

ExitStatus print_tests(const std::string& binary, const std::string& filter) {
  const BinaryInfo info = require_binary(binary);
  const TestSelection selection = select_tests_of(info, filter);
  if (selection.framework == Framework::none) {
    print(fmt::format("{} is explored as a whole: it {}\n", binary,
                      info.framework == Framework::none ? "uses no test framework that reex knows"
                                                        : "does not list its tests"));
    return ExitStatus::passed;
  }
  std::string text;
  for (const std::string& name : selection.names) text += name + '\n';
  print(text);
  return ExitStatus::passed;
}

ExitStatus list_command(const Invocation& invocation) {
  const auto& operands = invocation.line.operands;
  const std::string what = operands.empty() ? "" : operands.front();
  if (what.empty()) {
    print("Strategies\n" + strategies_text() + "\nHeuristics\n" + heuristics_text());
  } else if (what == "strategies" && operands.size() == 1) {
    print(strategies_text());
  } else if (what == "heuristics" && operands.size() == 1) {
    print(heuristics_text());
  } else if (what == "tests" && operands.size() == 2) {
    return print_tests(operands[1], invocation.settings.options.filter);
  } else {
    const std::array<std::string, 3> known = {"strategies", "heuristics", "tests"};
    const std::string similar = did_you_mean(what, known, "give one of them");
    throw UsageError("list shows strategies, heuristics, or tests TEST_BINARY: " +
                     (similar == "did you mean " + what + '?' ? "give one of them" : similar));
  }
  return ExitStatus::passed;
}

} // namespace reex
