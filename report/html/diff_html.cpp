#include "report/html/diff_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "report/document/diff_hunks.h"
#include "report/html/html_text.h"
#include "report/html/stack_html.h"
#include "report/text/paths.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

constexpr std::size_t k_other_lines = 400; // of hunks that the execution did not pass

class Panel {
public:
  Panel(const RunReport& report, const Passage& passage, std::string id)
      : m_report(report), m_id(std::move(id)), m_passed(passage.lines), m_steps(passage.steps) {}

  DiffPanel make() {
    const ChangeView& change = *m_report.change;
    for (const FileChange& file : change.changes) show_file(file);
    std::string text = m_taken;
    text += loose();
    if (text.empty()) text = "<p class=\"quiet\">No operation of this schedule is at a changed line.</p>\n";
    if (!m_others.empty())
      text += fmt::format(
          "<details class=\"other\"><summary>{} that this schedule did not pass</summary>\n{}</details>\n",
          counted(m_other_hunks, "hunk"), m_others);
    m_panel.html = text;
    return std::move(m_panel);
  }

private:
  void show_file(const FileChange& file) {
    const std::string path = m_report.change->root + '/' + file.new_path;
    const auto passed = m_passed.find(path);
    std::string taken;
    std::string others;
    for (const DiffHunk& hunk : parse_hunks(file.text)) {
      const bool took_part = passed != m_passed.end() &&
                             std::any_of(hunk.lines.begin(), hunk.lines.end(), [&](const DiffLine& line) {
                               return passed->second.contains(line.new_line);
                             });
      if (took_part) {
        taken += hunk_html(path, hunk);
        continue;
      }
      ++m_other_hunks;
      m_other_lines += hunk.lines.size();
      if (m_other_lines <= k_other_lines) others += hunk_html(path, hunk);
    }
    const std::string name = html(file.new_path.empty() ? file.old_path : file.new_path);
    if (!taken.empty()) m_taken += "<h4 class=\"path\">" + name + "</h4>\n" + taken;
    if (!others.empty()) m_others += "<h4 class=\"path\">" + name + "</h4>\n" + others;
  }

  std::string hunk_html(const std::string& path, const DiffHunk& hunk) {
    std::string text =
        "<div class=\"hunk\">\n<p class=\"at\">" + html(hunk.header) + "</p>\n<ol class=\"difflines\">\n";
    for (const DiffLine& line : hunk.lines) text += line_html(path, line);
    return text + "</ol>\n</div>\n";
  }

  // The sign is text, so that added and removed do not differ by colour alone.
  std::string line_html(const std::string& path, const DiffLine& line) {
    const char* kind = line.sign == '+' ? "added" : line.sign == '-' ? "removed" : "same";
    const std::string number = line.new_line == 0 ? "" : std::to_string(line.new_line);
    std::string who;
    std::string id;
    if (line.new_line != 0) std::tie(id, who) = passed(path, line.new_line);
    return fmt::format("<li class=\"{}{}\"{}><span class=\"ln\">{}</span><code><span "
                       "class=\"sign\">{}</span>{}</code>{}</li>\n",
                       kind, who.empty() ? "" : " passed", id, number, line.sign, html(line.text), who);
  }

  // The id attribute of a line that was passed, and who passed it in which steps.
  std::pair<std::string, std::string> passed(const std::string& path, unsigned line) {
    const auto file = m_passed.find(path);
    if (file == m_passed.end()) return {};
    const auto found = file->second.find(line);
    if (found == file->second.end()) return {};
    std::string who = "<span class=\"by\">";
    for (const int thread : found->second) who += thread_tag(thread);
    if (const auto steps = m_steps.find({path, line}); steps != m_steps.end()) {
      for (const unsigned step : steps->second.first)
        who += fmt::format(" <a href=\"#{}-s{}\" title=\"step {}\">{}</a>", m_id, step, step, step);
      if (const std::size_t more = steps->second.count - steps->second.first.size(); more > 0)
        who += fmt::format(" <span class=\"quiet\">+{}</span>", more);
    }
    const std::string id = fmt::format("{}-l{}", m_id, m_panel.ids.size());
    const bool is_new = m_panel.ids.emplace(std::pair(path, line), id).second;
    return {is_new ? fmt::format(" id=\"{}\"", id) : "", who + "</span>"};
  }

  // Impacted lines outside of the hunks.
  std::string loose() {
    std::string text;
    for (const auto& [file, lines] : m_passed)
      for (const auto& [line, threads] : lines) {
        if (m_panel.ids.contains({file, line})) continue;
        const auto [id, who] = passed(file, line);
        text +=
            fmt::format("<li class=\"same passed\"{}><span class=\"ln\">{}:{}</span><code>{}</code>{}</li>\n",
                        id, html(base_name(file)), line, html(m_report.sources.trimmed(file, line)), who);
      }
    if (text.empty()) return "";
    return "<h4 class=\"path\">Impacted lines outside of the diff</h4>\n<ol class=\"difflines loose\">\n" +
           text + "</ol>\n";
  }

  const RunReport& m_report;
  std::string m_id;
  const PassedLines& m_passed;
  const StepsOfLines& m_steps;
  DiffPanel m_panel;
  std::string m_taken;
  std::string m_others;
  std::size_t m_other_hunks = 0;
  std::size_t m_other_lines = 0;
};

} // namespace

DiffPanel diff_panel(const RunReport& report, const Passage& passage, const std::string& id) {
  return Panel(report, passage, id).make();
}

} // namespace reex
