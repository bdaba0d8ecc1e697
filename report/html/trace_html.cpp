#include "report/html/trace_html.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "report/html/html_text.h"
#include "report/html/stack_html.h"
#include "report/text/bytes_text.h"
#include "report/text/needed_switches.h"
#include "report/text/text_layout.h"
#include "report/text/trace_rows.h"

namespace reex {
namespace {

// Of longer executions, folded steps are counted and not written.
constexpr std::size_t k_most_steps = 3000;
// Above this number, only the user's frame of a folded step is written.
constexpr std::size_t k_most_stacks = 600;
constexpr unsigned k_around = 4; // source lines on each side of a step's
constexpr std::size_t k_most_source_lines = 6000;
constexpr int k_colours = 8;

class Trace {
public:
  Trace(const RunReport& report, const Failure& failure, std::string id, const DiffPanel& diff)
      : m_report(report), m_failure(failure), m_trace(failure.how.trace), m_id(std::move(id)), m_diff(diff) {
    for (const NeededSwitch& one : needed_switches(failure)) m_needed.insert(one.step);
    for (const TraceRow& row : trace_rows(m_trace, failure.where, false)) {
      if (row.kind == TraceRow::Kind::step) m_shown_steps.insert(row.index);
      if (row.kind == TraceRow::Kind::context_switch) m_shown_switches.insert(row.index);
    }
  }

  std::string write() {
    const std::size_t threads = thread_count(m_trace, m_failure.where);
    m_text = fmt::format("<div class=\"trace\" style=\"--n:{}\" data-failure=\"{}\">\n", threads, m_id);
    m_text += "<div class=\"heads\" aria-hidden=\"true\">";
    for (std::size_t thread = 0; thread < threads; ++thread)
      m_text += fmt::format("<span style=\"--t:{}\">{}{}</span>", thread,
                            thread_tag(static_cast<int>(thread)), thread == 0 ? " <small>main</small>" : "");
    m_text += "</div>\n<ol class=\"rows\">\n";
    rows();
    ending();
    return m_text + "</ol>\n</div>\n";
  }

private:
  bool shown(const TraceRow& row) const {
    return row.kind == TraceRow::Kind::step ? m_shown_steps.contains(row.index)
                                            : m_shown_switches.contains(row.index);
  }

  // Rows that the short report leaves out are in a fold that opens.
  void rows() {
    const std::vector<TraceRow> all = trace_rows(m_trace, m_failure.where, true);
    for (std::size_t i = 0; i < all.size();) {
      if (shown(all[i])) {
        row(all[i++], true);
        continue;
      }
      std::size_t end = i;
      std::size_t steps = 0;
      for (; end < all.size() && !shown(all[end]); ++end)
        if (all[end].kind == TraceRow::Kind::step) ++steps;
      fold(all, i, end, steps);
      i = end;
    }
  }

  void fold(const std::vector<TraceRow>& all, std::size_t begin, std::size_t end, std::size_t steps) {
    const std::string count = counted(steps, "more step");
    if (m_trace.size() > k_most_steps) {
      m_text +=
          fmt::format("<li class=\"fold\"><p class=\"quiet\">… {}, not on this page …</p></li>\n", count);
      return;
    }
    m_text += fmt::format("<li class=\"fold\"><details><summary>{}</summary>\n<ol class=\"rows\">\n", count);
    for (std::size_t i = begin; i < end; ++i) row(all[i], m_trace.size() <= k_most_stacks);
    m_text += "</ol></details></li>\n";
  }

  void row(const TraceRow& row, bool with_stack) {
    if (row.kind == TraceRow::Kind::context_switch)
      context_switch(row);
    else if (row.kind == TraceRow::Kind::step)
      step(m_trace[row.index], with_stack);
  }

  void context_switch(const TraceRow& row) {
    const bool needed = m_needed.contains(row.index);
    m_text +=
        fmt::format("<li class=\"switch{}{}\"><span class=\"label\">{}</span> <span>{}</span> → {}</li>\n",
                    needed ? " needed" : "", row.decisive ? " decisive" : "",
                    needed ? "needed switch" : "switch", html(row.text), thread_tag(row.thread));
  }

  void step(const TraceStep& step, bool with_stack) {
    const bool changed = touches_change(step.stack);
    const Frame* frame = user_frame(step.stack);
    m_text +=
        fmt::format("<li class=\"step c{}{}\" id=\"{}-s{}\" style=\"--t:{}\" data-thread=\"{}\"{}{}>\n"
                    "<a class=\"no\" href=\"#{}-s{}\">{}</a>\n<div class=\"cell\"><span class=\"line\">{} "
                    "<code class=\"op\">{}</code>",
                    step.thread % k_colours, changed ? " changed" : "", m_id, step.step, step.thread,
                    step.thread, m_needed.contains(step.step) ? " data-needed" : "", source_attributes(frame),
                    m_id, step.step, step.step, thread_tag(step.thread), html(step_text(step)));
    if (changed) m_text += ' ' + changed_link(step);
    m_text += "</span>";
    const std::string location = short_location(step.stack);
    const std::string source = frame == nullptr ? "" : m_report.sources.trimmed(frame->file, frame->line);
    if (!source.empty()) m_text += "<code class=\"src\">" + html(source) + "</code>";
    if (with_stack && !step.stack.empty())
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
    if (const std::string left = unrecorded_text(m_failure.how); !left.empty())
      m_text += fmt::format("<li class=\"fold\"><p class=\"quiet\">{}</p></li>\n", html(left));
    if (m_failure.where.empty()) return;
    const int thread = m_failure.where.front().thread;
    m_text += fmt::format(
        "<li class=\"ending c{}\" style=\"--t:{}\"><div class=\"cell\">{} <strong>{}</strong></div></li>\n",
        thread % k_colours, thread, thread_tag(thread), html(m_failure.kind));
  }

  const RunReport& m_report;
  const Failure& m_failure;
  const std::vector<TraceStep>& m_trace;
  std::string m_id;
  const DiffPanel& m_diff;
  std::set<std::size_t> m_needed;
  std::set<std::size_t> m_shown_steps;
  std::set<std::size_t> m_shown_switches;
  std::string m_text;
};

} // namespace

std::string trace_html(const RunReport& report, const Failure& failure, const std::string& id,
                       const DiffPanel& diff) {
  return Trace(report, failure, id, diff).write();
}

std::string sources_json(const RunReport& report, const Failure& failure) {
  std::map<std::string, std::set<unsigned>> wanted;
  std::size_t count = 0;
  for (const TraceStep& step : failure.how.trace) {
    const Frame* frame = user_frame(step.stack);
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
