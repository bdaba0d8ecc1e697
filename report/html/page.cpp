#include "report/html/page.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/document/imunit_text.h"
#include "report/document/run_words.h"
#include "report/failure_text.h"
#include "report/html/assets.h"
#include "report/html/failure_html.h"
#include "report/html/html_text.h"
#include "report/html/page_frame.h"
#include "report/text/bytes_text.h"
#include "report/text/left_text.h"
#include "report/text/paths.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

constexpr std::size_t k_findings = 50; // of a test, with stacks

const char* tone_of(Verdict verdict) {
  switch (word_of(verdict).tone) {
  case Tone::good:
    return "good";
  case Tone::bad:
    return "bad";
  default:
    return "doubtful";
  }
}

std::string verdict_tag(Verdict verdict) {
  return fmt::format("<span class=\"verdict {}\">{}</span>", tone_of(verdict), word_of(verdict).heading);
}

class Page {
public:
  explicit Page(const RunReport& report) : m_report(report) {}

  std::string write() {
    const Verdict verdict = verdict_of_all(m_report.runs);
    const std::string subject = title();
    const bool nothing = m_report.runs.empty() && !m_report.context.skipped.empty();
    m_text += page_begin(fmt::format("{} {}", nothing ? "SKIPPED" : word_of(verdict).heading, subject));
    add("<header class=\"top {}\">\n<p class=\"brand\">reex {}</p>\n<h1>{} {}</h1>\n", tone_of(verdict),
        html(m_report.context.version),
        nothing ? "<span class=\"verdict doubtful\">SKIPPED</span>" : verdict_tag(verdict), html(subject));
    if (m_report.runs.size() == 1) add("<p class=\"lead\">{}</p>\n", html(headline(m_report.runs.front())));
    subject_facts();
    m_text += "</header>\n<main id=\"main\">\n";
    if (m_report.runs.size() + m_report.not_run.size() + m_report.context.skipped.size() > 1) table();
    for (std::size_t i = 0; i < m_report.runs.size(); ++i)
      if (m_report.runs[i].ended != EndReason::not_begun) test(m_report.runs[i], i);
    m_text += "</main>\n" + page_end(m_report.context.version, page_script());
    return std::move(m_text);
  }

private:
  template <typename... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(m_text), format, std::forward<Arguments>(arguments)...);
  }

  std::string title() const {
    if (m_report.runs.empty()) return "nothing was explored";
    const TestRun& first = m_report.runs.front();
    if (m_report.runs.size() == 1) return test_title(first.binary, first.name);
    const std::size_t programs = binaries().size();
    if (programs > 1) return fmt::format("{} tests of {} programs", m_report.runs.size(), programs);
    return fmt::format("{}: {} tests", base_name(first.binary), m_report.runs.size());
  }

  // In the order of the runs.
  std::vector<std::string> binaries() const {
    std::vector<std::string> names;
    for (const TestRun& run : m_report.runs)
      if (std::find(names.begin(), names.end(), run.binary) == names.end()) names.push_back(run.binary);
    return names;
  }

  void fact(const char* name, const std::string& text) {
    if (!text.empty()) add("<div><dt>{}</dt><dd>{}</dd></div>\n", name, html(text));
  }

  // Each test of a framework has an argument of its own, which chooses it.
  bool is_of_all(const std::string& argument) const {
    return std::all_of(m_report.runs.begin(), m_report.runs.end(), [&](const TestRun& run) {
      return std::find(run.arguments.begin(), run.arguments.end(), argument) != run.arguments.end();
    });
  }

  void subject_facts() {
    m_text += "<dl class=\"facts\">\n";
    if (!m_report.runs.empty()) {
      std::string words;
      for (const std::string& binary : binaries())
        words += (words.empty() ? "" : ", ") + shown_path(m_report, binary);
      for (const std::string& argument : m_report.runs.front().arguments)
        if (is_of_all(argument)) words += ' ' + argument;
      fact("test", words);
    }
    if (m_report.change != nullptr) fact("change", m_report.change->title);
    if (!m_report.context.base.empty()) fact("base", m_report.context.base.substr(0, 12));
    m_text += "</dl>\n";
    for (const std::string& note : m_report.context.notes) add("<p class=\"note\">{}</p>\n", html(note));
  }

  void table() {
    m_text +=
        "<section aria-labelledby=\"tests\">\n<h2 id=\"tests\">Tests</h2>\n<div "
        "class=\"scroll\">\n<table>\n<thead><tr>"
        "<th scope=\"col\">verdict</th><th scope=\"col\">test</th><th scope=\"col\" "
        "class=\"num\">schedules</th>"
        "<th scope=\"col\">covered</th><th scope=\"col\" class=\"num\">time</th></tr></thead>\n<tbody>\n";
    for (std::size_t i = 0; i < m_report.runs.size(); ++i) {
      const TestRun& run = m_report.runs[i];
      std::string name = html(test_title(run.binary, run.name));
      if (run.ended != EndReason::not_begun) name = fmt::format("<a href=\"#t{}\">{}</a>", i, name);
      add("<tr><td>{}</td><th scope=\"row\">{}</th><td class=\"num\">{}</td><td>{}</td>"
          "<td class=\"num\">{:.2f} s</td></tr>\n",
          verdict_tag(verdict_of(run)), name, grouped(run.schedules), html(headline(run)), run.wall_seconds);
    }
    for (const std::string& name : m_report.not_run)
      add("<tr><td><span class=\"verdict doubtful\">NOT RUN</span></td><th "
          "scope=\"row\">{}</th><td></td><td></td><td></td></tr>\n",
          html(name));
    for (const std::string& name : m_report.context.skipped)
      add("<tr><td><span class=\"verdict doubtful\">SKIPPED</span></td><th "
          "scope=\"row\">{}</th><td></td><td>nothing impacted is in reach</td><td></td></tr>\n",
          html(name));
    m_text += "</tbody>\n</table>\n</div>\n</section>\n";
  }

  void test(const TestRun& run, std::size_t index) {
    add("<section class=\"test\" id=\"t{0}\" aria-labelledby=\"t{0}-title\">\n", index);
    const std::string name = html(test_title(run.binary, run.name));
    if (m_report.runs.size() > 1)
      add("<h2 id=\"t{}-title\">{} {}</h2>\n<p class=\"lead\">{}</p>\n", index, verdict_tag(verdict_of(run)),
          name, html(headline(run)));
    else
      add("<h2 id=\"t{}-title\" class=\"visually-hidden\">{}</h2>\n", index, name);
    std::size_t number = 0;
    for (const Failure& failure : run.failures)
      m_text += failure_html(m_report, run, failure, fmt::format("t{}f{}", index, number++));
    explored(run);
    findings(run);
    outcomes(run);
    m_text += "</section>\n";
  }

  void explored(const TestRun& run) {
    const std::size_t begin = m_text.size();
    m_text += "<section class=\"explored\">\n<h3>What was explored</h3>\n<dl class=\"facts\">\n";
    const std::size_t head = m_text.size();
    if (run.schedules > 0 || run.control.scheduling_points > 0) {
      fact("schedules",
           grouped(run.schedules) +
               (run.pruned != 0 ? fmt::format(", {} cut short as equivalent", grouped(run.pruned)) : ""));
      fact("time", fmt::format("{:.2f} s ({}/s)", run.wall_seconds,
                               grouped(static_cast<unsigned long long>(run.executions_per_second))));
      fact("search", fmt::format("{}, {}, {}, seed {}", strategy_text(run), bound_text(run),
                                 run.heuristic.empty() ? "Basic" : run.heuristic, run.seed));
      fact(
          "controlled",
          fmt::format("{}, {}, isolation {}{}", counted(run.control.threads, "thread"),
                      counted(run.control.scheduling_points, "scheduling point"), run.control.isolation,
                      run.control.isolation_reason.empty() ? "" : " (" + run.control.isolation_reason + ")"));
      if (run.promoted != 0)
        fact("races", fmt::format("{}, {} as scheduling points", counted(run.rounds, "round"),
                                  counted(run.promoted, "racing access", "racing accesses")));
    }
    if (run.imunit) fact("schedule", imunit_text(*run.imunit, run));
    const bool has_facts = m_text.size() > head;
    m_text += "</dl>\n<div class=\"claims\">\n";
    const std::size_t claims = m_text.size();
    if (verdict_of(run) != Verdict::uncontrolled && !covered(run).empty())
      add("<div class=\"claim covered\"><h4>Covered</h4><ul><li>{}</li></ul></div>\n", html(covered(run)));
    not_covered(run);
    if (!has_facts && m_text.size() == claims && run.notes.empty()) {
      m_text.resize(begin);
      return;
    }
    m_text += "</div>\n";
    for (const std::string& note : run.notes) add("<p class=\"note\">{}</p>\n", html(note));
    m_text += "</section>\n";
  }

  void not_covered(const TestRun& run) {
    std::string list;
    const auto item = [&](const char* effect, const std::string& detail, const std::string& remedy) {
      if (detail.empty()) return;
      list += fmt::format("<li>{}{}{}</li>\n", effect, html(detail),
                          remedy.empty() ? "" : "<span class=\"remedy\">" + html(remedy) + "</span>");
    };
    if (verdict_of(run) != Verdict::uncontrolled) {
      const std::string why = why_ended(run); // "what was left: how to get it"
      const std::size_t colon = why.find(": ");
      item("", why.substr(0, colon), colon == std::string::npos ? "" : why.substr(colon + 2));
      item("", left_at_the_end(run.left), "");
    }
    for (const Gap& gap : all_gaps(run))
      item(gap.effect == GapEffect::verdict  ? "<strong>no verdict:</strong> "
           : gap.effect == GapEffect::claims ? "<strong>no claim:</strong> "
                                             : "",
           gap.detail, gap.remedy);
    item("", uninstrumented_text(run), "");
    if (!list.empty())
      m_text += "<div class=\"claim open\"><h4>Not covered</h4><ul>\n" + list + "</ul></div>\n";
  }

  void findings(const TestRun& run) {
    if (run.findings.empty()) return;
    m_text += "<section class=\"findings\">\n<h3>Findings that do not fail the test</h3>\n";
    std::size_t shown = 0;
    for (const Finding& finding : run.findings)
      if (shown++ < k_findings) m_text += finding_html(m_report, finding);
    if (shown > k_findings)
      add("<p>{} are in the JSON report.</p>\n", counted(shown - k_findings, "more finding"));
    m_text += "</section>\n";
  }

  void outcomes(const TestRun& run) {
    if (run.outcomes.empty()) return;
    m_text += "<section>\n<h3>Outcomes</h3>\n<div class=\"scroll\">\n<table>\n<thead><tr><th scope=\"col\" "
              "class=\"num\">executions</th>"
              "<th scope=\"col\" class=\"num\">preemptions</th><th scope=\"col\">exit</th><th "
              "scope=\"col\">failure</th>"
              "<th scope=\"col\">standard output</th></tr></thead>\n<tbody>\n";
    for (const Outcome& outcome : run.outcomes)
      add("<tr><td class=\"num\">{}</td><td "
          "class=\"num\">{}</td><td>{}</td><td>{}</td><td><code>{}</code></td></tr>\n",
          grouped(outcome.count), outcome.preemptions, outcome.exit ? std::to_string(*outcome.exit) : "–",
          outcome.failure.empty() ? "–" : html(outcome.failure),
          html(quote_for_terminal(cut_bytes(outcome.stdout_bytes, k_output_limit))));
    m_text += "</tbody>\n</table>\n</div>\n</section>\n";
  }

  const RunReport& m_report;
  std::string m_text;
};

} // namespace

std::string html_page(const RunReport& report) { return Page(report).write(); }

} // namespace reex
