#include "report/change_excerpt.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "report/document/diff_hunks.h"
#include "report/text/paths.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

// The limits of the excerpt. The reader has the complete diff.
constexpr std::size_t k_hunk_lines = 20;
constexpr std::size_t k_hunks = 4;
constexpr std::size_t k_loose_lines = 6;

using Threads = ThreadSet;

constexpr std::size_t k_names = 4;         // of threads at a line
constexpr std::size_t k_names_of_many = 2; // and how many more there are

// The text leaves room for the line, however many threads there are.
std::string names(const Threads& threads) {
  const std::size_t named = threads.size() > k_names ? k_names_of_many : threads.size();
  std::string text;
  for (auto thread = threads.begin(); thread != std::next(threads.begin(), static_cast<long>(named));
       ++thread)
    text += fmt::format("{}T{}", text.empty() ? "" : " ", *thread);
  if (named < threads.size()) text += fmt::format(" and {} more", threads.size() - named);
  return text;
}

class Excerpt {
public:
  Excerpt(SourceLines& sources, const Style& style, std::size_t width)
      : m_sources(sources), m_style(style), m_width(width) {}

  // Removes the lines that it shows from `lines`.
  void file(const FileChange& change, std::map<unsigned, Threads>& lines) {
    bool named = false;
    for (const DiffHunk& hunk : parse_hunks(change.text)) {
      if (m_hunks >= k_hunks || !took_part(hunk, lines)) continue;
      if (!named) m_lines.push_back("  " + m_style(Tone::strong, change.new_path));
      named = true;
      ++m_hunks;
      show(hunk, lines);
    }
  }

  void loose(const std::string& file, const std::string& shown, const std::map<unsigned, Threads>& lines) {
    for (const auto& [line, threads] : lines) {
      if (m_loose++ >= k_loose_lines) continue;
      add(true, fmt::format("{}:{}  {}", shown, line, m_sources.trimmed(file, line)), Tone::changed, threads);
    }
  }

  void say(const std::string& text) { m_lines.push_back("  " + text); }

  std::vector<std::string> take() {
    if (m_loose > k_loose_lines)
      m_lines.push_back(fmt::format("  ... and {} more lines", m_loose - k_loose_lines));
    return std::move(m_lines);
  }

private:
  static bool took_part(const DiffHunk& hunk, const std::map<unsigned, Threads>& lines) {
    return std::any_of(hunk.lines.begin(), hunk.lines.end(),
                       [&](const DiffLine& line) { return lines.contains(line.new_line); });
  }

  void show(const DiffHunk& hunk, std::map<unsigned, Threads>& lines) {
    m_lines.push_back("  " + m_style(Tone::faint, fit(hunk.header, m_width - 2)));
    std::size_t shown = 0;
    for (const DiffLine& line : hunk.lines) {
      const auto found = lines.find(line.new_line);
      const bool passed = found != lines.end();
      if (shown++ < k_hunk_lines || passed) {
        const Tone tone = line.sign == '-' ? Tone::bad : line.sign == '+' ? Tone::good : Tone::plain;
        add(passed, line.sign + line.text, tone, passed ? found->second : Threads());
      }
      if (passed) lines.erase(found);
    }
    if (shown > k_hunk_lines) m_lines.push_back("    ...");
  }

  void add(bool passed, const std::string& text, Tone tone, const Threads& threads) {
    const std::string who = names(threads);
    const std::size_t room = m_width - 4 - (who.empty() ? 0 : who.size() + 2);
    std::string line = (passed ? "  * " : "    ") + m_style(tone, fit(text, room));
    if (!who.empty())
      line += std::string(room - display_width(fit(text, room)) + 2, ' ') + m_style(Tone::strong, who);
    m_lines.push_back(line);
  }

  SourceLines& m_sources;
  const Style& m_style;
  std::size_t m_width;
  std::size_t m_hunks = 0;
  std::size_t m_loose = 0;
  std::vector<std::string> m_lines;
};

} // namespace

std::vector<std::string> change_excerpt(const ChangeView& change, const Schedule& schedule,
                                        const std::vector<ThreadPosition>& where, SourceLines& sources,
                                        const Style& style, std::size_t width) {
  PassedLines passed = passed_lines(schedule, where, lines_beside_removed(change.root, change.changes));
  Excerpt excerpt(sources, style, std::max<std::size_t>(width, 40));
  if (passed.empty()) { // the change is a condition without an operation of its own, say
    passed = passed_lines(schedule, where, lines_of_hunks(change.root, change.changes));
    if (!passed.empty()) excerpt.say("none is at an operation of this schedule; it passed these beside:");
  }
  for (const FileChange& file : change.changes) {
    const auto found = passed.find(change.root + '/' + file.new_path);
    if (found != passed.end()) excerpt.file(file, found->second);
  }
  for (const auto& [file, lines] : passed) excerpt.loose(file, path_within(file, change.root), lines);
  return excerpt.take();
}

} // namespace reex
