#include "report/html/failure_html.h"

#include <fmt/format.h>

#include "reex/run/finding_kinds.h"
#include "report/failure_text.h"
#include "report/html/diff_html.h"
#include "report/html/html_text.h"
#include "report/html/stack_html.h"
#include "report/html/trace_html.h"
#include "report/text/needed_switches.h"
#include "report/text/text_layout.h"
#include "report/text/trace_rows.h"

namespace reex {
namespace {

class Writer {
public:
  Writer(const RunReport& report, const TestRun& run, const Failure& failure, const std::string& id)
      : m_report(report), m_run(run), m_failure(failure), m_id(id) {}

  std::string write() {
    add("<article class=\"failure\" id=\"{0}\" aria-labelledby=\"{0}-title\">\n", m_id);
    heading();
    needed();
    happened();
    positions();
    output("Standard output", m_failure.stdout_text);
    output("Standard error", m_failure.stderr_text);
    commands();
    return m_text + "</article>\n";
  }

private:
  template <typename... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(m_text), format, std::forward<Arguments>(arguments)...);
  }

  void heading() {
    add("<header>\n<h2 id=\"{}-title\"><span class=\"kind\">{}</span> {}</h2>\n", m_id, html(m_failure.kind),
        html(test_title(m_run.binary, m_run.name)));
    add("<p class=\"message\">{}</p>\n", html(short_thread_names(m_failure.message)));
    std::string facts = fmt::format("schedule {} · {} · {} · {}", grouped(m_failure.schedule),
                                    counted(m_failure.how.preemptions, "preemption"),
                                    counted(thread_count(m_failure.how.trace, m_failure.where), "thread"),
                                    steps_text(m_failure.how));
    if (m_failure.how.trace.empty())
      facts = fmt::format("schedule {} · {}", grouped(m_failure.schedule),
                          counted(m_failure.how.preemptions, "preemption"));
    if (m_failure.count > 1) facts += fmt::format(" · failed so {} times", grouped(m_failure.count));
    add("<p class=\"quiet\">{} · key <code>{}</code></p>\n", facts, html(m_failure.key));
    if (m_failure.how.times_passed != 0)
      add("<p class=\"quiet\">Time passed {} while other threads could run: natively, this may be "
          "rare.</p>\n",
          m_failure.how.times_passed == 1 ? "once" : counted(m_failure.how.times_passed, "time"));
    base();
    m_text += "</header>\n";
  }

  void base() {
    if (!m_failure.base) return;
    const BaseProof& proof = *m_failure.base;
    const std::string binary = html(shown_path(m_report, proof.binary));
    switch (proof.verdict) {
    case BaseProof::Verdict::passes:
      add("<p>Fails at the head, passes at the base: <code>{}</code> passes under this schedule.</p>\n",
          binary);
      break;
    case BaseProof::Verdict::fails:
      add("<p>Fails at the base, too: <code>{}</code> fails likewise under this schedule.</p>\n", binary);
      break;
    case BaseProof::Verdict::not_followed:
      add("<p>The schedule cannot be followed on <code>{}</code>: {}</p>\n", binary,
          html(short_thread_names(proof.message)));
      break;
    }
  }

  void needed() {
    if (!m_failure.reduced) return;
    const Reduced& reduced = *m_failure.reduced;
    const auto switches = needed_switches(m_failure);
    add("<section aria-labelledby=\"{0}-needed\">\n<h3 id=\"{0}-needed\">The {1} that it takes{2}</h3>\n",
        m_id, switches.size() == 1 ? "one switch" : "switches", reduced.complete ? "" : ", or fewer");
    if (switches.empty()) m_text += "<p>None: it fails if every thread runs as far as it can.</p>\n";
    if (!switches.empty()) m_text += "<ol class=\"needed-list\">\n";
    for (const NeededSwitch& one : switches) {
      const bool there = one.step < m_failure.how.trace.size();
      const std::string number =
          there ? fmt::format("<a href=\"#{}-s{}\">step {}</a>", m_id, one.step, one.step)
                : fmt::format("step {}", one.step);
      add("<li>{} {}{}</li>\n", number, html(needed_switch_text(one)),
          touches_change(one) ? " <span class=\"mark\">changed line</span>" : "");
    }
    if (!switches.empty()) m_text += "</ol>\n";
    if (reduced.switches < reduced.switches_before)
      add("<p class=\"quiet\">Reduced from {} ({}) in {}.</p>\n",
          counted(reduced.switches_before, "switch", "switches"),
          counted(reduced.preemptions_before, "preemption"), counted(reduced.executions, "execution"));
    m_text += "</section>\n";
  }

  // The interleaving, and beside it the source of a step and the change.
  void happened() {
    const DiffPanel diff = m_report.change == nullptr
                               ? DiffPanel{}
                               : diff_panel(m_report, passage_of(*m_report.change, m_failure), m_id);
    if (m_failure.how.trace.empty() && diff.ids.empty()) return;
    add("<div class=\"split{}\">\n", m_failure.how.trace.empty() ? " alone" : "");
    if (!m_failure.how.trace.empty()) {
      add("<section class=\"happened\" aria-labelledby=\"{0}-trace\">\n<h3 id=\"{0}-trace\">What happened, "
          "in order of "
          "execution</h3>\n<p class=\"keys\" hidden><kbd>j</kbd> <kbd>k</kbd> step · <kbd>n</kbd> "
          "<kbd>p</kbd> "
          "needed switch · <kbd>s</kbd> stack · <kbd>Esc</kbd> leave</p>\n",
          m_id);
      m_text += trace_html(m_report, interleaving_of(m_failure, m_report.sources), m_id, diff);
      m_text += "</section>\n";
    }
    m_text += "<aside class=\"side\" aria-label=\"Source and change\">\n";
    if (!m_failure.how.trace.empty())
      add("<section class=\"panel\" aria-live=\"polite\" aria-label=\"The selected step\" hidden></section>\n"
          "<script type=\"application/json\" class=\"sources\">{}</script>\n",
          sources_json(m_report, m_failure));
    if (!diff.html.empty())
      add("<section class=\"diff\" aria-labelledby=\"{0}-diff\">\n<h3 id=\"{0}-diff\">Changed lines that "
          "took part</h3>\n"
          "<p class=\"quiet\">{1}</p>\n{2}</section>\n",
          m_id, html(m_report.change->title), diff.html);
    m_text += "</aside>\n</div>\n";
  }

  void positions() {
    if (m_failure.where.empty()) return;
    const bool finding = row_of_failure(m_failure.kind) != nullptr;
    add("<section aria-labelledby=\"{0}-where\">\n<h3 id=\"{0}-where\">{1}</h3>\n", m_id,
        finding ? "Where it happened" : "Where the threads stand at the end");
    m_text += positions_html(m_report, m_failure.where);
    if (!m_failure.memory.empty())
      m_text += "<h3>The memory</h3>\n" + positions_html(m_report, m_failure.memory);
    m_text += "</section>\n";
  }

  void output(const char* title, const std::string& bytes) {
    if (bytes.empty()) return;
    add("<details class=\"output\"><summary>{}</summary><pre>{}</pre></details>\n", title, html(bytes));
  }

  void commands() {
    const std::string replay = replay_command(m_report, m_failure);
    if (replay.empty()) {
      m_text += "<p>No schedule file was written: it cannot be replayed.</p>\n";
      return;
    }
    add("<section class=\"commands\" aria-labelledby=\"{0}-again\">\n<h3 id=\"{0}-again\">Run this schedule "
        "again</h3>\n"
        "<div class=\"cmd\"><pre><code>{1}</code></pre></div>\n"
        "<p class=\"quiet\">In gdb, at the step that fails, with all threads:</p>\n"
        "<div class=\"cmd\"><pre><code>{2}</code></pre></div>\n</section>\n",
        m_id, html(replay), html(debug_command(m_report, m_failure)));
  }

  const RunReport& m_report;
  const TestRun& m_run;
  const Failure& m_failure;
  const std::string& m_id;
  std::string m_text;
};

} // namespace

std::string failure_html(const RunReport& report, const TestRun& run, const Failure& failure,
                         const std::string& id) {
  return Writer(report, run, failure, id).write();
}

std::string finding_html(const RunReport& report, const Finding& finding) {
  const FindingRow* row = row_of_finding(finding.kind);
  std::string text =
      fmt::format("<article class=\"finding\">\n<h4>{}</h4>\n<p class=\"message\">{}</p>\n"
                  "<p class=\"quiet\">schedule {} · key <code>{}</code></p>\n",
                  html(row == nullptr ? finding.kind : std::string(row->one)),
                  html(short_thread_names(finding.message)), grouped(finding.schedule), html(finding.key));
  if (!finding.reason.empty()) text += "<p>No failure: " + html(finding.reason) + "</p>\n";
  return text + positions_html(report, finding.where) + "</article>\n";
}

} // namespace reex
