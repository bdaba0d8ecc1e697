#include <fmt/format.h>

#include "report/compare/shown_failure.h"
#include "report/html/diff_html.h"
#include "report/html/html_text.h"
#include "report/html/trace_html.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

// The lines that were kept with the interleaving.
class KeptLines : public SourceLines {
public:
  explicit KeptLines(const ShownFailure& shown) : m_lines(shown.sources) {}
  std::string trimmed(const std::string& file, unsigned line) override {
    const auto found = m_lines.find({file, line});
    return found == m_lines.end() ? "" : found->second;
  }

private:
  const std::map<std::pair<std::string, unsigned>, std::string>& m_lines;
};

} // namespace

std::string shown_failure_html(const ShownFailure& shown, const std::string& id, const std::string& title) {
  KeptLines sources(shown);
  const std::vector<TestRun> runs;
  const RunReport report{.runs = runs,
                         .context = {},
                         .sources = sources,
                         .change = shown.change.title.empty() ? nullptr : &shown.change,
                         .root = shown.change.root};
  const Interleaving& interleaving = shown.interleaving;
  const DiffPanel diff = report.change == nullptr ? DiffPanel{} : diff_panel(report, shown.passage, id);
  std::string text = fmt::format(
      "<article class=\"failure\" id=\"{0}\" aria-labelledby=\"{0}-title\">\n"
      "<h3 id=\"{0}-title\"><span class=\"kind\">{1}</span> {2}</h3>\n"
      "<p class=\"message\">{3}</p>\n<p class=\"quiet\">schedule {4} · {5} · {6} · "
      "key <code>{7}</code></p>\n<div class=\"split{8}\">\n",
      id, html(interleaving.kind), html(title), html(short_thread_names(shown.message)),
      grouped(shown.schedule), counted(shown.preemptions, "preemption"),
      counted(interleaving.threads, "thread"), html(shown.key), interleaving.rows.empty() ? " alone" : "");
  if (!interleaving.rows.empty())
    text += "<section class=\"happened\">\n<h4>What happened, in order of execution</h4>\n" +
            trace_html(report, interleaving, id, diff) + "</section>\n";
  if (!diff.html.empty())
    text += fmt::format(
        "<aside class=\"side\" aria-label=\"Change\">\n<section class=\"diff\">\n<h4>Changed lines "
        "that took part</h4>\n<p class=\"quiet\">{}</p>\n{}</section>\n</aside>\n",
        html(shown.change.title), diff.html);
  return text + "</div>\n</article>\n";
}

} // namespace reex
