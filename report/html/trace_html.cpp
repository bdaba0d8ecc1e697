#include "report/html/trace_html.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "report/html/html_text.h"
#include "report/html/stack_html.h"
#include "report/text/bytes_text.h"
#include "report/text/text_layout.h"
#include "report/text/trace_rows.h"

namespace reex {
namespace {

constexpr unsigned k_around = 4; // source lines on each side of a step's
constexpr std::size_t k_most_source_lines = 6000;
constexpr int k_colours = 8;

class Trace {
public:
  Trace(const RunReport& report, const Interleaving& interleaving, std::string id, const DiffPanel& diff)
      : m_report(report), m_interleaving(interleaving), m_id(std::move(id)), m_diff(diff) {}

  std::string write() {
    const std::size_t threads = m_interleaving.threads;
    m_text = fmt::format("<div class=\"trace\" style=\"--n:{}\" data-failure=\"{}\">\n", threads, m_id);
    m_text += "<div class=\"heads\" aria-hidden=\"true\">";
    for (std::size_t thread = 0; thread < threads; ++thread)
      m_text += fmt::format("<span style=\"--t:{}\">{}{}</span>", thread,
                            thread_tag(static_cast<int>(thread)), thread == 0 ? " <small>main</small>" : "");
    m_text += "</div>\n<ol class=\"rows\">\n";
    for (const InterleavingRow& one : m_interleaving.rows) row(one);
    ending();
    return m_text + "</ol>\n</div>\n";
  }

private:
  void row(const InterleavingRow& row) {
    switch (row.kind) {
    case InterleavingRow::Kind::step:
      return step(row);
    case InterleavingRow::Kind::context_switch:
      return context_switch(row);
    case InterleavingRow::Kind::fold:
      return fold(row);
    }
  }

  // Rows that the short report leaves out are in a fold that opens.
  void fold(const InterleavingRow& fold) {
    const std::string count = counted(fold.steps, "more step");
    if (fold.rows.empty()) {
      m_text +=
          fmt::format("<li class=\"fold\"><p class=\"quiet\">… {}, not on this page …</p></li>\n", count);
      return;
    }
    m_text += fmt::format("<li class=\"fold\"><details><summary>{}</summary>\n<ol class=\"rows\">\n", count);
    for (const InterleavingRow& one : fold.rows) row(one);
    m_text += "</ol></details></li>\n";
  }

  void context_switch(const InterleavingRow& row) {
    m_text +=
        fmt::format("<li class=\"switch{}{}\"><span class=\"label\">{}</span> <span>{}</span> → {}</li>\n",
                    row.needed ? " needed" : "", row.decisive ? " decisive" : "",
                    row.needed ? "needed switch" : "switch", html(row.text), thread_tag(row.step.thread));
  }

  void step(const InterleavingRow& row) {
    const TraceStep& step = row.step;
    const bool changed = touches_change(step.stack);
    const Frame* frame = shown_frame(step.stack);
    m_text +=
        fmt::format("<li class=\"step c{}{}\" id=\"{}-s{}\" style=\"--t:{}\" data-thread=\"{}\"{}{}>\n"
                    "<a class=\"no\" href=\"#{}-s{}\">{}</a>\n<div class=\"cell\"><span class=\"line\">{} "
                    "<code class=\"op\">{}</code>",
                    step.thread % k_colours, changed ? " changed" : "", m_id, step.step, step.thread,
                    step.thread, row.needed ? " data-needed" : "", source_attributes(frame), m_id, step.step,
                    step.step, thread_tag(step.thread), html(step_text(step)));
    if (changed) m_text += ' ' + changed_link(step);
    m_text += "</span>";
    const std::string location = short_location(step.stack);
    if (!row.source.empty()) m_text += "<code class=\"src\">" + html(row.source) + "</code>";
    if (row.with_stack && !step.stack.empty())
      m_text += fmt::format("<details class=\"stack\"><summary>{}</summary>{}</details>",
                            html(location.empty() ? "stack" : location), frames_html(m_report, step.stack));
    else if (!location.empty())
      m_text += "<span class=\"place\">" + html(location) + "</span>";
    m_text += "</div></li>\n";
  }

  std::string source_attributes(const Frame* frame) const {
    if (frame == nullptr) return "";
    return fmt::format(" data-file=\"{}\" data-line=\"{}\"", html(shown_path(m_report, frame->file)),
                       frame->line);
  }

  std::string changed_link(const TraceStep& step) const {
    for (const Frame& frame : step.stack)
      if (const auto found = m_diff.ids.find({frame.file, frame.line});
          frame.changed && found != m_diff.ids.end())
        return fmt::format("<a class=\"mark\" href=\"#{}\">changed line</a>", found->second);
    return "<span class=\"mark\">changed line</span>";
  }

  void ending() {
    if (!m_interleaving.unrecorded.empty())
      m_text +=
          fmt::format("<li class=\"fold\"><p class=\"quiet\">{}</p></li>\n", html(m_interleaving.unrecorded));
    const int thread = m_interleaving.failing;
    if (thread < 0) return;
    m_text += fmt::format(
        "<li class=\"ending c{}\" style=\"--t:{}\"><div class=\"cell\">{} <strong>{}</strong></div></li>\n",
        thread % k_colours, thread, thread_tag(thread), html(m_interleaving.kind));
  }

  const RunReport& m_report;
  const Interleaving& m_interleaving;
  std::string m_id;
  const DiffPanel& m_diff;
  std::string m_text;
};

} // namespace

std::string trace_html(const RunReport& report, const Interleaving& interleaving, const std::string& id,
                       const DiffPanel& diff) {
  return Trace(report, interleaving, id, diff).write();
}

std::string sources_json(const RunReport& report, const Failure& failure) {
  std::map<std::string, std::set<unsigned>> wanted;
  std::size_t count = 0;
  for (const TraceStep& step : failure.how.trace) {
    const Frame* frame = shown_frame(step.stack);
    if (frame == nullptr || count > k_most_source_lines) continue;
    std::set<unsigned>& lines = wanted[frame->file];
    const std::size_t before = lines.size();
    for (unsigned line = frame->line > k_around ? frame->line - k_around : 1; line <= frame->line + k_around;
         ++line)
      lines.insert(line);
    count += lines.size() - before;
  }
  nlohmann::json files = nlohmann::json::object();
  for (const auto& [file, lines] : wanted) {
    nlohmann::json& texts = files[escape_for_terminal(shown_path(report, file))];
    for (const unsigned line : lines) texts[std::to_string(line)] = report.sources.indented(file, line);
  }
  return json_for_script(files.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

} // namespace reex
