#include "report/finding_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>

#include "reex/run/finding_kinds.h"
#include "report/failure_text.h"
#include "report/stack_text.h"
#include "report/text/bytes_text.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

// The number of findings with stacks, without -v: about a screen.
constexpr std::size_t k_in_full = 3;

std::string words_of(const std::string& kind) {
  const FindingRow* row = row_of_finding(kind);
  return row == nullptr ? kind : std::string(row->one);
}

// What findings and the failures that come of them have in common.
struct Shown {
  std::string heading;
  std::string message;
  std::string facts;
  const std::vector<ThreadPosition>& where;
};

std::string in_full(const Shown& shown, SourceLines& sources, const TerminalOptions& options) {
  std::string text = '\n' + shown.heading + '\n';
  for (const std::string& line :
       wrap(escape_for_terminal(short_thread_names(shown.message) + '\n' + shown.facts), options.width - 2))
    text += "  " + line + '\n';
  for (const ThreadPosition& side : shown.where) {
    const std::string thread = fmt::format("T{}", side.thread);
    text += fmt::format("  {}  {}\n", options.style(Tone::strong, thread), short_thread_names(side.state));
    text += stack_text(side.stack, sources, options);
  }
  return text;
}

Shown shown(const Finding& finding, const TestRun& run, const std::string& test,
            const TerminalOptions& options) {
  std::string facts = fmt::format("schedule {}, key {}", grouped(finding.schedule), finding.key);
  if (finding.kind == "data-race" && run.promoted > 0) {
    const bool freed =
        std::any_of(finding.where.begin(), finding.where.end(),
                    [](const ThreadPosition& side) { return side.state.find("frees") != std::string::npos; });
    facts += freed ? "; from then on the access is a scheduling point"
                   : "; from then on both are scheduling points";
  }
  if (!finding.reason.empty()) facts += "\nno failure: " + finding.reason;
  return {.heading = fmt::format("{} {}: {}", options.style(Tone::doubtful, "FINDING"),
                                 options.style(Tone::strong, test), words_of(finding.kind)),
          .message = finding.message,
          .facts = facts,
          .where = finding.where};
}

Shown shown(const Failure& failure, const std::string& test, const TerminalOptions& options) {
  return {.heading = fmt::format("{} {}: {}", options.style(Tone::bad, "FAILED"),
                                 options.style(Tone::strong, test), failure.kind),
          .message = failure.message,
          .facts = fmt::format("schedule {}, {}, key {}", grouped(failure.schedule),
                               counted(failure.how.preemptions, "preemption"), failure.key),
          .where = failure.where};
}

// "queue.h:8, main.cpp:20": where the threads are.
std::string places_text(const std::vector<ThreadPosition>& where) {
  std::string text;
  for (const ThreadPosition& side : where)
    if (const Frame* frame = user_frame(side.stack); frame != nullptr)
      text += fmt::format("{}{}:{}", text.empty() ? "" : ", ",
                          std::filesystem::path(frame->file).filename().string(), frame->line);
  return text;
}

// The line of one that is not shown in full.
std::string in_short(const std::string& message, const std::vector<ThreadPosition>& where,
                     const TerminalOptions& options) {
  const std::string places = places_text(where);
  const std::string text = short_thread_names(message);
  return fmt::format(
      "  {}\n", fit(escape_for_terminal(places.empty() ? text : places + ": " + text), options.width - 2));
}

// The same in two tests, whose stacks may differ further out.
std::string at_its_lines(const Failure& failure) {
  std::vector<std::string> sides;
  for (const ThreadPosition& side : failure.where) {
    const Frame* frame = user_frame(side.stack);
    if (frame != nullptr) sides.push_back(fmt::format("{}:{}", frame->file, frame->line));
  }
  std::sort(sides.begin(), sides.end());
  return fmt::format("{} at {}", failure.kind,
                     sides.empty() ? failure.key : fmt::format("{}", fmt::join(sides, ", ")));
}

std::string replay_line(const std::string& replay, const TerminalOptions& options) {
  if (replay.empty()) return "";
  return fmt::format("  {}\n", options.style(Tone::strong, replay_command(options, replay)));
}

std::string counts_text(const std::vector<std::string_view>& kinds) {
  std::string text;
  for (const FindingRow& row : finding_rows()) {
    const auto count = static_cast<std::size_t>(std::count(kinds.begin(), kinds.end(), row.kind));
    if (count == 0) continue;
    text += (text.empty() ? "" : ", ") + counted(count, std::string(row.one), std::string(row.many));
  }
  return text;
}

std::string counted_kind(std::size_t count, const std::string& kind) {
  if (const FindingRow* row = row_of_failure(kind); row != nullptr)
    return counted(count, std::string(row->one), std::string(row->many));
  return counted(count, "failure") + " (" + kind + ")";
}

} // namespace

std::string finding_counts(const std::vector<Finding>& findings) {
  std::vector<std::string_view> kinds;
  for (const Finding& finding : findings) kinds.push_back(finding.kind);
  return counts_text(kinds);
}

std::string failing_finding_counts(const std::vector<Failure>& failures) {
  std::vector<std::string_view> kinds;
  for (const Failure& failure : failures)
    if (const FindingRow* row = row_of_failure(failure.kind); row != nullptr) kinds.push_back(row->kind);
  return counts_text(kinds);
}

std::string failing_findings_text(const TestRun& run, const std::string& test, SourceLines& sources,
                                  const TerminalOptions& options, ToldLines* told) {
  std::vector<const Failure*> failures;
  std::vector<const Failure*> alike;    // at the lines of one of these, and other ones further out
  std::vector<const Failure*> repeated; // told of another test
  std::set<std::string> lines;
  for (const Failure& failure : run.failures) {
    if (row_of_failure(failure.kind) == nullptr) continue;
    const std::string at = at_its_lines(failure);
    const bool is_told = told != nullptr && told->contains(at);
    const bool is_first = lines.insert(at).second;
    (is_told ? repeated : is_first ? failures : alike).push_back(&failure);
  }
  if (told != nullptr) told->insert(lines.begin(), lines.end());
  const std::size_t distinct = failures.size();
  failures.insert(failures.end(), alike.begin(), alike.end());
  const std::size_t in_full_up_to = options.verbose ? failures.size() : std::min(distinct, k_in_full);
  std::string text;
  for (std::size_t i = 0; i < in_full_up_to; ++i) {
    text += in_full(shown(*failures[i], test, options), sources, options);
    if (failures[i]->base) text += base_text(*failures[i]->base, options);
    text += replay_line(failures[i]->replay, options);
  }
  if (in_full_up_to != failures.size())
    text += fmt::format(
        "\n{} (-v shows their stacks)\n",
        options.style(Tone::bad, counted(failures.size() - in_full_up_to, "more failure") + " of this kind"));
  for (std::size_t i = in_full_up_to; i < failures.size(); ++i)
    text += in_short(failures[i]->message, failures[i]->where, options) +
            replay_line(failures[i]->replay, options);
  if (repeated.empty()) return text;
  return text +
         fmt::format("\n{} at lines that are told above, of another test (-v shows all)\n",
                     options.style(Tone::bad, counted(repeated.size(), "failure"))) +
         in_short(repeated.front()->message, repeated.front()->where, options) +
         replay_line(repeated.front()->replay, options);
}

std::string findings_text(const TestRun& run, const std::string& test, SourceLines& sources,
                          const TerminalOptions& options) {
  if (options.quiet) return "";
  const std::size_t in_full_up_to =
      options.verbose ? run.findings.size() : std::min(run.findings.size(), k_in_full);
  std::string text;
  for (std::size_t i = 0; i < in_full_up_to; ++i)
    text += in_full(shown(run.findings[i], run, test, options), sources, options);
  if (in_full_up_to == run.findings.size()) return text;
  text +=
      fmt::format("\n{} (-v shows their stacks)\n",
                  options.style(Tone::strong, counted(run.findings.size() - in_full_up_to, "more finding")));
  for (std::size_t i = in_full_up_to; i < run.findings.size(); ++i)
    text += in_short(run.findings[i].message, run.findings[i].where, options);
  return text;
}

std::string suppressed_text(const TestRun& run, const TerminalOptions& options) {
  std::string text;
  const auto& all = run.suppressed;
  for (auto one = all.begin(); one != all.end(); ++one) {
    const auto alike = [&](const Suppressed& other) {
      return other.kind == one->kind && other.by == one->by;
    };
    if (std::any_of(all.begin(), one, alike)) continue; // counted before
    const auto count = static_cast<std::size_t>(std::count_if(one, all.end(), alike));
    for (const std::string& line :
         wrap(escape_for_terminal(fmt::format("{} suppressed by {}: {}", counted_kind(count, one->kind),
                                              one->by, one->reason)),
              options.width - 2))
      text += "  " + line + '\n';
    if (!options.verbose) continue;
    for (const Suppressed& other : all)
      if (alike(other))
        for (const std::string& line : wrap(
                 escape_for_terminal(fmt::format("key {}: {}", other.key, other.message)), options.width - 4))
          text += "    " + line + '\n';
  }
  return text;
}

} // namespace reex
