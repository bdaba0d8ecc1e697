#include "report/failure_text.h"

#include <exception>

#include <fmt/format.h>

#include "reex/run/finding_kinds.h"
#include "report/stack_text.h"
#include "report/text/bytes_text.h"
#include "report/text/needed_switches.h"
#include "report/text/paths.h"
#include "report/text/shell_quote.h"
#include "report/text/text_layout.h"
#include "report/text/trace_rows.h"
#include "report/trace_view.h"

namespace reex {
namespace {

constexpr std::size_t k_output_lines = 10; // without -v: the last lines of the test's output

class FailureWriter {
public:
  FailureWriter(const Failure& failure, SourceLines& sources, const TerminalOptions& options)
      : m_failure(failure), m_sources(sources), m_options(options) {}

  void heading(const std::string& test) {
    line("{} {}: {}", m_options.style(Tone::bad, "FAILED"), m_options.style(Tone::strong, test),
         m_failure.kind);
    paragraph(short_thread_names(m_failure.message));
    std::string facts = fmt::format("schedule {}, {}, {}, {}", grouped(m_failure.schedule),
                                    counted(m_failure.how.preemptions, "preemption"),
                                    counted(thread_count(m_failure.how.trace, m_failure.where), "thread"),
                                    steps_text(m_failure.how));
    if (m_failure.count > 1) facts += fmt::format(", failed so {} times", grouped(m_failure.count));
    line("  {}", facts);
    if (m_failure.how.times_passed != 0)
      line("  time passed {} while other threads could run: natively, this may be rare",
           m_failure.how.times_passed == 1 ? "once" : counted(m_failure.how.times_passed, "time"));
  }

  // The switches of a reduced schedule.
  void needed() {
    if (!m_failure.reduced) return;
    const Reduced& reduced = *m_failure.reduced;
    const auto switches = needed_switches(m_failure);
    section(fmt::format("The {} that it takes{}", switches.size() == 1 ? "one switch" : "switches",
                        reduced.complete ? "" : ", or fewer"));
    if (switches.empty()) line("  none: it fails if every thread runs as far as it can");
    for (const NeededSwitch& one : switches) {
      const bool changed = touches_change(one);
      bool first = true;
      for (const std::string& text : wrap(needed_switch_text(one), m_options.width - 9)) {
        const std::string margin = first ? fmt::format("{:>5}{}", one.step, changed ? "*" : " ") : "";
        line("{:<7}{}{}", margin, first ? "" : "  ",
             m_options.style(changed ? Tone::changed : Tone::plain, text));
        first = false;
      }
    }
    if (reduced.switches < reduced.switches_before)
      line("  reduced from {} ({}) in {}", counted(reduced.switches_before, "switch", "switches"),
           counted(reduced.preemptions_before, "preemption"), counted(reduced.executions, "execution"));
  }

  void base() {
    if (!m_failure.base) return;
    const BaseProof& proof = *m_failure.base;
    const std::string path = path_within(proof.binary, m_options.folder);
    section("At the base");
    switch (proof.verdict) {
    case BaseProof::Verdict::passes:
      paragraph(fmt::format("fails at the head, passes at the base: {} passes under this schedule", path));
      break;
    case BaseProof::Verdict::fails:
      paragraph(fmt::format("fails at the base, too: {} fails likewise under this schedule", path));
      break;
    case BaseProof::Verdict::not_followed:
      paragraph(
          fmt::format("the schedule cannot be followed on {}: {}", path, short_thread_names(proof.message)));
      break;
    }
  }

  void changed_lines(const ChangeView& change) {
    const auto lines =
        change_excerpt(change, m_failure.how, m_failure.where, m_sources, m_options.style, m_options.width);
    section(fmt::format("Changed lines that took part ({})", change.title));
    if (lines.empty()) line("  none: no operation of this schedule is at a changed line");
    for (const std::string& text : lines) line("{}", text);
  }

  void trace() {
    if (m_failure.how.trace.empty()) return;
    section("What happened, in order of execution");
    TraceView view{m_options.style, m_options.width, m_options.verbose, m_failure.kind};
    if (m_failure.reduced)
      for (const NeededSwitch& one : needed_switches(m_failure)) view.needed.push_back(one.step);
    for (const std::string& text : trace_lines(m_failure.how, m_failure.where, m_sources, view))
      line("{}", text);
  }

  // A test framework tells of a failed check by the exit status: the end of main is in none of the user's
  // functions.
  bool ended_the_process(const ThreadPosition& position) const {
    const std::vector<TraceStep>& trace = m_failure.how.trace;
    return !trace.empty() && trace.back().thread == position.thread &&
           trace.back().operation == "end of the process" && user_frame(position.stack) == nullptr;
  }

  void positions() {
    if (m_failure.where.empty()) return;
    section(row_of_failure(m_failure.kind) != nullptr ? "Where it happened" : "Where the threads stand");
    for (const ThreadPosition& position : m_failure.where) {
      const bool ended = ended_the_process(position);
      line("  {}  {}", m_options.style(Tone::strong, fmt::format("T{}", position.thread)),
           ended ? "ended the process" : short_thread_names(position.state));
      if (ended && !m_options.verbose) continue;
      if (!position.holders.empty())
        for (const std::string& text : wrap(short_thread_names(position.holders), m_options.width - 6))
          line("      {}", text);
      m_text += stack_text(position.stack, m_sources, m_options);
    }
  }

  void memory() {
    if (m_failure.memory.empty()) return;
    section("The memory");
    for (const ThreadPosition& event : m_failure.memory) {
      line("  {}{}", event.state, event.stack.empty() ? "" : fmt::format(" by T{}", event.thread));
      m_text += stack_text(event.stack, m_sources, m_options);
    }
  }

  void output(const char* title, const std::string& bytes) {
    if (bytes.empty()) return;
    const auto lines = wrap(escape_for_terminal(bytes), std::string::npos);
    const std::size_t skipped =
        m_options.verbose || lines.size() <= k_output_lines ? 0 : lines.size() - k_output_lines;
    section(title);
    if (skipped > 0) line("  ... {} (-v shows them)", counted(skipped, "line") + " before");
    for (std::size_t i = skipped; i < lines.size(); ++i) line("  {}", lines[i]);
  }

  void closing() {
    section(fmt::format("Failure key: {}", m_failure.key));
    if (m_failure.replay.empty()) {
      line("No schedule file was written: it cannot be replayed.");
      return;
    }
    line("Replay it:");
    line("  {}", m_options.style(Tone::strong, replay_command(m_options, m_failure.replay)));
  }

  std::string take() { return std::move(m_text); }

private:
  template <typename... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(m_text), format, std::forward<Arguments>(arguments)...);
    m_text += '\n';
  }

  void section(const std::string& title) { line("\n{}", m_options.style(Tone::strong, title)); }

  void paragraph(const std::string& text) {
    if (text.empty()) return;
    for (const std::string& part : wrap(escape_for_terminal(text), m_options.width - 2)) line("  {}", part);
  }

  const Failure& m_failure;
  SourceLines& m_sources;
  const TerminalOptions& m_options;
  std::string m_text;
};

} // namespace

std::string execution_text(const Failure& failure, const ChangeView* change, SourceLines& sources,
                           const TerminalOptions& options) {
  FailureWriter writer(failure, sources, options);
  if (change != nullptr) writer.changed_lines(*change);
  writer.needed();
  writer.trace();
  writer.positions();
  writer.memory();
  writer.output("Standard output", failure.stdout_text);
  writer.output("Standard error", failure.stderr_text);
  return writer.take();
}

namespace {

// A failure that was found is told in any case, with how it is replayed.
std::string execution_text_or_why(const Failure& failure, const ChangeView* change, SourceLines& sources,
                                  const TerminalOptions& options) try {
  return execution_text(failure, change, sources, options);
} catch (const std::exception& error) {
  return fmt::format(
      "\nWhat happened cannot be shown: {}: this is an error of reex, not of the test: report it "
      "with the command\n",
      error.what());
}

} // namespace

std::string failure_text(const Failure& failure, const std::string& test, const ChangeView* change,
                         SourceLines& sources, const TerminalOptions& options) {
  FailureWriter head(failure, sources, options);
  head.heading(test);
  FailureWriter tail(failure, sources, options);
  tail.base();
  tail.closing();
  return head.take() + execution_text_or_why(failure, change, sources, options) + tail.take();
}

std::string base_text(const BaseProof& proof, const TerminalOptions& options) {
  DiskSourceLines none;
  Failure failure;
  failure.base = proof;
  FailureWriter writer(failure, none, options);
  writer.base();
  return writer.take();
}

std::string closing_text(const Failure& failure, const TerminalOptions& options) {
  DiskSourceLines none;
  FailureWriter writer(failure, none, options);
  writer.closing();
  return writer.take();
}

std::string replay_command(const TerminalOptions& options, const std::string& path) {
  std::vector<std::string> words;
  if (!options.environment.empty()) words.emplace_back("env");
  words.insert(words.end(), options.environment.begin(), options.environment.end());
  words.insert(words.end(), {options.program, "replay", path_within(path, options.folder)});
  return shell_command(words);
}

std::string test_title(const std::string& binary, const std::string& name) {
  return name.empty() ? base_name(binary) : name;
}

} // namespace reex
