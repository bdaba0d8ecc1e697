#include "report/finding_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "report/bytes_text.h"
#include "report/stack_text.h"
#include "report/text_layout.h"

namespace reex {
namespace {

// The number of findings with stacks, without -v: about a screen.
constexpr std::size_t k_in_full = 3;

struct FindingWords {
  const char* kind;
  const char* one;
  const char* many;
};

constexpr std::array<FindingWords, 4> k_words = {{
    {"data-race", "data race", "data races"},
    {"never-joined", "thread never joined", "threads never joined"},
    {"destroyed-while-held", "mutex destroyed while held", "mutexes destroyed while held"},
    {"unlocked-by-stranger", "mutex unlocked by another thread", "mutexes unlocked by other threads"},
}};

std::string words_of(const std::string& kind) {
  const auto* found = std::find_if(k_words.begin(), k_words.end(),
                                   [&](const FindingWords& words) { return kind == words.kind; });
  return found == k_words.end() ? kind : found->one;
}

std::string in_full(const Finding& finding, const TestRun& run, const std::string& test, SourceLines& sources,
                    const TerminalOptions& options) {
  const Tone tone = run.findings_fail ? Tone::bad : Tone::doubtful;
  std::string text = fmt::format("\n{} {}: {}\n", options.style(tone, "FINDING"),
                                 options.style(Tone::strong, test), words_of(finding.kind));
  std::string facts = fmt::format("{}\nschedule {}, key {}", short_thread_names(finding.message),
                                  grouped(finding.schedule), finding.key);
  if (finding.kind == "data-race" && run.promoted > 0) {
    const bool freed =
        std::any_of(finding.where.begin(), finding.where.end(),
                    [](const ThreadPosition& side) { return side.state.find("frees") != std::string::npos; });
    facts += freed ? "; from then on the access is a scheduling point"
                   : "; from then on both are scheduling points";
  }
  for (const std::string& line : wrap(escape_for_terminal(facts), options.width - 2))
    text += "  " + line + '\n';
  for (const ThreadPosition& side : finding.where) {
    const std::string thread = fmt::format("T{}", side.thread);
    text += fmt::format("  {}  {}\n", options.style(Tone::strong, thread), short_thread_names(side.state));
    text += stack_text(side.stack, sources, options);
  }
  return text;
}

} // namespace

std::string finding_counts(const std::vector<Finding>& findings) {
  std::string text;
  for (const FindingWords& words : k_words) {
    const auto count = static_cast<std::size_t>(std::count_if(
        findings.begin(), findings.end(), [&](const Finding& one) { return one.kind == words.kind; }));
    if (count == 0) continue;
    text += (text.empty() ? "" : ", ") + counted(count, words.one, words.many);
  }
  return text;
}

std::string findings_text(const TestRun& run, const std::string& test, SourceLines& sources,
                          const TerminalOptions& options) {
  if (options.quiet && !run.findings_fail) return "";
  const std::size_t shown = options.verbose ? run.findings.size() : std::min(run.findings.size(), k_in_full);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) text += in_full(run.findings[i], run, test, sources, options);
  if (shown == run.findings.size()) return text;
  text += fmt::format("\n{} (-v shows their stacks)\n",
                      options.style(Tone::strong, counted(run.findings.size() - shown, "more finding")));
  for (std::size_t i = shown; i < run.findings.size(); ++i) {
    const Finding& finding = run.findings[i];
    text += fmt::format("  {}\n",
                        fit(escape_for_terminal(short_thread_names(finding.message)), options.width - 2));
  }
  return text;
}

} // namespace reex
