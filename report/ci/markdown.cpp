#include "report/ci/markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "report/document/run_words.h"
#include "report/failure_text.h"
#include "report/finding_text.h"
#include "report/text/bytes_text.h"
#include "report/text/needed_switches.h"
#include "report/text/text_layout.h"
#include "report/text/trace_rows.h"
#include "report/trace_view.h"

namespace reex {
namespace {

constexpr std::size_t k_trace_width = 100;

// Text in which nothing is markup: every character that Markdown or HTML could read is an entity. Inside
// <code>, GitHub makes no mention of @name and no link of #12.
std::string code(const std::string& bytes) {
  std::string text = "<code>";
  for (const char c : escape_for_terminal(bytes)) {
    const bool punctuation = std::string_view("&<>\"'*_`[]()|\\@#~!{}:").find(c) != std::string_view::npos;
    if (c == '\n')
      text += "</code><br><code>";
    else if (punctuation)
      text += fmt::format("&#{};", static_cast<int>(c));
    else
      text += c;
  }
  return text + "</code>";
}

// A block whose fence is longer than any row of backticks in it.
std::string fenced(const std::string& language, const std::string& text) {
  std::size_t longest = 0;
  std::size_t row = 0;
  for (const char c : text) {
    row = c == '`' ? row + 1 : 0;
    longest = std::max(longest, row);
  }
  const std::string fence(std::max<std::size_t>(3, longest + 1), '`');
  return fence + language + '\n' + text + (text.ends_with('\n') ? "" : "\n") + fence + '\n';
}

std::string folded(const std::string& summary, const std::string& body) {
  return "<details><summary>" + summary + "</summary>\n\n" + body + "\n</details>\n\n";
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

const char* sign(Verdict verdict) {
  switch (verdict) {
  case Verdict::passed:
    return "✅";
  case Verdict::failed:
  case Verdict::not_started:
  case Verdict::error:
    return "❌";
  default:
    return "⚠️";
  }
}

std::string bound_cell(const TestRun& run) {
  const bool claims = effect_of(all_gaps(run)) == GapEffect::told;
  if (claims && run.exhausted) return "all";
  return claims && run.bound_completed ? std::to_string(*run.bound_completed) : "–";
}

std::string table(const RunReport& report) {
  std::string text = "| | test | schedules | bound explored | time | |\n|---|---|--:|:-:|--:|---|\n";
  for (const TestRun& run : report.runs) {
    const Verdict verdict = verdict_of(run);
    text += fmt::format("| {} {} | {} | {} | {} | {:.2f} s | {} |\n", sign(verdict), word_of(verdict).heading,
                        code(test_title(run.binary, run.name)), grouped(run.schedules), bound_cell(run),
                        run.wall_seconds, code(headline(run)));
  }
  for (const std::string& name : report.not_run)
    text += fmt::format("| ➖ not run | {} | | | | |\n", code(name));
  for (const std::string& name : report.context.skipped)
    text += fmt::format("| ➖ skipped | {} | | | | {} |\n", code(name), "nothing impacted is in reach");
  return text + '\n';
}

std::string gaps(const TestRun& run) {
  std::string text;
  if (const std::string why = why_ended(run); !why.empty()) text += "- not covered: " + code(why) + '\n';
  for (const Gap& gap : all_gaps(run))
    text += fmt::format("- {}: {}{}\n", gap.effect == GapEffect::verdict ? "no verdict" : "not covered",
                        code(gap.detail), gap.remedy.empty() ? "" : "; " + code(gap.remedy));
  return text;
}

// What a failure has at least, and what may be left out.
struct Section {
  std::string head;
  std::string details;
  std::string tail;
};

std::string stacks(const RunReport& report, const std::vector<ThreadPosition>& where) {
  std::string text;
  for (const ThreadPosition& position : where) {
    text += fmt::format("T{}  {}\n", position.thread, short_thread_names(position.state));
    for (const Frame& frame : position.stack)
      if (is_of_user(frame))
        text += fmt::format("    {}:{} in {}\n", shown_path(report, frame.file), frame.line, frame.function);
  }
  return escape_for_terminal(text);
}

Section failure_section(const RunReport& report, const TestRun& run, const Failure& failure) {
  Section section;
  section.head = fmt::format("### {}: {}\n\n{}\n\n", code(test_title(run.binary, run.name)),
                             code(failure.kind), code(short_thread_names(failure.message)));
  if (failure.reduced)
    for (const NeededSwitch& one : needed_switches(failure))
      section.head += fmt::format("- step {}: {}{}\n", one.step, code(needed_switch_text(one)),
                                  touches_change(one) ? " (a changed line)" : "");
  if (!section.head.ends_with("\n\n")) section.head += '\n';
  if (report.change != nullptr) {
    const auto lines =
        change_excerpt(*report.change, failure.how, failure.where, report.sources, Style(), k_trace_width);
    if (!lines.empty())
      section.details += folded("Changed lines that took part (" + code(report.change->title) + ")",
                                fenced("", joined(lines)));
  }
  if (!failure.how.trace.empty()) {
    TraceView view{Style(), k_trace_width, false, failure.kind};
    if (failure.reduced)
      for (const NeededSwitch& one : needed_switches(failure)) view.needed.push_back(one.step);
    section.details +=
        folded(fmt::format("What happened, in order of execution ({}, {})", steps_text(failure.how),
                           counted(failure.how.preemptions, "preemption")),
               fenced("", joined(trace_lines(failure.how, failure.where, report.sources, view))));
  }
  if (!failure.where.empty())
    section.details += folded("Where the threads stand", fenced("", stacks(report, failure.where)));
  if (const std::string replay = replay_command(report, failure); !replay.empty())
    section.tail = "Replay it:\n\n" + fenced("sh", replay) + '\n';
  return section;
}

std::string findings(const RunReport& report, const TestRun& run) {
  if (run.findings.empty()) return "";
  std::string text;
  for (const Finding& finding : run.findings) {
    text += "- " + code(short_thread_names(finding.message));
    if (const Frame* place = place_of(finding.where); place != nullptr)
      text += fmt::format(" at {}", code(fmt::format("{}:{}", shown_path(report, place->file), place->line)));
    if (!finding.reason.empty()) text += "; no failure: " + code(finding.reason);
    text += '\n';
  }
  return folded(fmt::format("{}: {} that do not fail the test", code(test_title(run.binary, run.name)),
                            finding_counts(run.findings)),
                text);
}

std::string start(const RunReport& report) {
  const Verdict verdict = verdict_of_all(report.runs);
  const bool nothing = report.runs.empty() && !report.context.skipped.empty();
  std::string text =
      nothing ? "## ➖ reex: SKIPPED" : fmt::format("## {} reex: {}", sign(verdict), word_of(verdict).heading);
  if (report.runs.size() == 1) text += " — " + code(headline(report.runs.front()));
  if (report.runs.size() > 1) text += fmt::format(" — {} tests", report.runs.size());
  text += "\n\n";
  if (report.change != nullptr) text += "Compared: " + code(report.change->title) + "\n\n";
  return text + table(report);
}

// A note that something is missing. The room for it is kept free.
constexpr std::size_t k_note = 300;

} // namespace

std::string markdown_comment(const RunReport& report, std::size_t limit) {
  const std::size_t room = limit > k_note ? limit - k_note : 0;
  std::string text = start(report);
  if (text.size() > room) {
    const auto fails = std::count_if(report.runs.begin(), report.runs.end(),
                                     [](const TestRun& run) { return verdict_of(run) == Verdict::failed; });
    return fmt::format(
        "## {} reex: {}\n\n{} tests, of which {} failed. The table and the failures do not fit "
        "into a comment; the other reports of the run hold them.\n",
        sign(verdict_of_all(report.runs)), word_of(verdict_of_all(report.runs)).heading, report.runs.size(),
        fails);
  }
  std::size_t without_details = 0;
  std::size_t left_out = 0;
  const auto add = [&](const std::string& part) {
    if (text.size() + part.size() > room) return false;
    text += part;
    return true;
  };
  for (const TestRun& run : report.runs)
    for (const Failure& failure : run.failures) {
      const Section section = failure_section(report, run, failure);
      if (add(section.head + section.details + section.tail)) continue;
      if (add(section.head + section.tail))
        ++without_details;
      else
        ++left_out;
    }
  bool rest = true;
  for (const TestRun& run : report.runs) {
    rest = add(findings(report, run)) && rest;
    if (run.ended == EndReason::not_begun) continue;
    if (const std::string list = gaps(run); !list.empty())
      rest = add(folded(code(test_title(run.binary, run.name)) + ": what was not covered", list)) && rest;
  }
  if (without_details + left_out == 0 && rest) return text;
  text += "\n*Cut, because a comment has a limit:";
  if (without_details != 0)
    text += fmt::format(" {} shown without the interleaving;", counted(without_details, "failure"));
  if (left_out != 0) text += fmt::format(" {} left out;", counted(left_out, "failure"));
  if (!rest) text += " some findings or gaps left out;";
  return text + " the other reports of the run hold everything.*\n";
}

} // namespace reex
