#include "report/trace_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "report/text/text_layout.h"
#include "report/text/trace_rows.h"

namespace reex {
namespace {

constexpr std::size_t k_name = 5;       // "T12  ", if all threads share a column
constexpr std::size_t k_margin = 7;     // "  123* "
constexpr std::size_t k_min_column = 6; // between the starts of two columns
constexpr std::size_t k_max_column = 30;
constexpr std::size_t k_last_column = 46; // "atomic load atomic#1  ConcurrentLinkedQueue.h:31" almost fits
constexpr std::size_t k_main_column = 9;  // "T0 main" and blanks

// The text of a row may extend to the right of its column, because no other thread has text in that row. So
// columns can be narrower than their texts.
struct Columns {
  std::size_t count = 0; // 0: one column for all threads, with their names
  std::size_t stride = 0;

  Columns(std::size_t threads, std::size_t width) {
    if (threads <= 1) return;
    const std::size_t room = width > k_margin + k_last_column ? width - k_margin - k_last_column : 0;
    const std::size_t fits = room / (threads - 1);
    if (fits < k_min_column) return;
    count = threads;
    stride = std::min(fits, k_max_column);
  }
};

class Painter {
public:
  Painter(const TraceView& view, std::size_t threads) : m_view(view), m_columns(threads, view.width) {}

  // The number of characters from the start of a column to the right edge.
  std::size_t room(int thread) const {
    const std::size_t before =
        m_columns.count == 0 ? k_name : static_cast<std::size_t>(std::max(thread, 0)) * m_columns.stride;
    return m_view.width > k_margin + before ? m_view.width - k_margin - before : 1;
  }

  std::string heading() const {
    if (m_columns.count == 0) return "";
    std::string line(k_margin, ' ');
    for (std::size_t thread = 0; thread < m_columns.count; ++thread) {
      const std::string name =
          thread == 0 && m_columns.stride >= k_main_column ? "T0 main" : fmt::format("T{}", thread);
      line += fmt::format("{:<{}}", name, m_columns.stride);
    }
    return m_view.style(Tone::strong, line.substr(0, line.find_last_not_of(' ') + 1));
  }

  // One line of a thread: margin, bars of the columns on the left, and the text, cut at the right edge.
  std::string line(const std::string& margin, int thread, Tone tone, const std::string& text,
                   bool name) const {
    std::string before = fmt::format("{:<{}}", margin, k_margin);
    if (m_columns.count == 0) {
      before += fmt::format("{:<{}}", name ? fmt::format("T{}", thread) : "", k_name);
    } else {
      const std::string bar = m_view.style(Tone::faint, "|") + std::string(m_columns.stride - 1, ' ');
      for (int left = 0; left < thread; ++left) before += bar;
    }
    return before + m_view.style(tone, fit(text, room(thread)));
  }

  // Text over the whole width, behind `head`. Further lines are indented by the width of `head`.
  std::vector<std::string> across(Tone tone, const std::string& head, const std::string& text) const {
    std::vector<std::string> lines;
    for (const std::string& part : wrap(text, m_view.width - 2 - head.size())) {
      const std::string before = lines.empty() ? head : std::string(head.size(), ' ');
      lines.push_back("  " + m_view.style(tone, before + part));
    }
    return lines;
  }

private:
  const TraceView& m_view;
  Columns m_columns;
};

class TraceWriter {
public:
  TraceWriter(const Schedule& schedule, SourceLines& sources, const TraceView& view, std::size_t threads)
      : m_schedule(schedule), m_sources(sources), m_needed(view.needed), m_painter(view, threads) {
    if (const std::string heading = m_painter.heading(); !heading.empty()) m_lines.push_back(heading);
  }

  void row(const TraceRow& row) {
    switch (row.kind) {
    case TraceRow::Kind::context_switch:
      add(m_painter.across(row.decisive ? Tone::decisive : Tone::faint,
                           needed(row) ? "== switch == " : "-- switch -- ", row.text));
      break;
    case TraceRow::Kind::fold:
      if (row.thread < 0)
        add(m_painter.across(Tone::faint, "", row.text));
      else
        m_lines.push_back(m_painter.line("", row.thread, Tone::faint, row.text, false));
      break;
    case TraceRow::Kind::step:
      step(m_schedule.trace[row.index]);
      break;
    }
  }

  void ending(int thread, const std::string& text) {
    m_lines.push_back(m_painter.line("", thread, Tone::bad, "** " + text + " **", true));
  }

  std::vector<std::string> take() { return std::move(m_lines); }

private:
  bool needed(const TraceRow& row) const {
    return std::find(m_needed.begin(), m_needed.end(), row.index) != m_needed.end();
  }

  void add(const std::vector<std::string>& lines) {
    m_lines.insert(m_lines.end(), lines.begin(), lines.end());
  }

  void step(const TraceStep& step) {
    const bool changed = touches_change(step.stack);
    const std::string margin = fmt::format("{:>5}{}", step.step, changed ? "*" : " ");
    const Tone tone = changed ? Tone::changed : Tone::plain;
    const std::string location = short_location(step.stack);
    std::string operation = step_text(step);

    const std::string together = location.empty() ? operation : operation + "  " + location;
    const bool fits = display_width(together) <= m_painter.room(step.thread);
    m_lines.push_back(m_painter.line(margin, step.thread, tone, fits ? together : operation, true));
    source(step, fits ? "" : location);
  }

  // Does not repeat a source line that was just shown.
  void source(const TraceStep& step, std::string location) {
    const Frame* frame = shown_frame(step.stack);
    if (frame == nullptr) return;
    const std::string text = m_sources.trimmed(frame->file, frame->line);
    const auto told = std::make_tuple(step.thread, frame->file, frame->line);
    if (!location.empty() && !text.empty()) location += "  ";
    if ((!text.empty() && told != m_told) || !location.empty()) {
      m_lines.push_back(m_painter.line("", step.thread, Tone::faint, "  " + location + text, false));
    }
    m_told = told;
  }

  const Schedule& m_schedule;
  SourceLines& m_sources;
  const std::vector<std::size_t>& m_needed;
  Painter m_painter;
  std::tuple<int, std::string, unsigned> m_told{-1, "", 0};
  std::vector<std::string> m_lines;
};

} // namespace

std::vector<std::string> trace_lines(const Schedule& schedule, const std::vector<ThreadPosition>& where,
                                     SourceLines& sources, const TraceView& view) {
  TraceWriter writer(schedule, sources, view, thread_count(schedule.trace, where));
  for (const TraceRow& row : trace_rows(schedule.trace, where, view.all)) writer.row(row);
  if (const std::string left = unrecorded_text(schedule); !left.empty())
    writer.row({TraceRow::Kind::fold, schedule.trace.size(), left, -1, false});
  if (!view.ending.empty() && !where.empty()) writer.ending(where.front().thread, view.ending);
  return writer.take();
}

} // namespace reex
