// The edits say where the texts differ, so no lines need to be compared but those that the edits touch.
#include "imunit/rewrite/unified_diff.h"

#include <algorithm>

namespace reex::inference {
namespace {

constexpr std::size_t k_context = 3;

using Lines = std::vector<std::string_view>; // with their line ends

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

// Lines [begin, end) of the old text become `text`.
struct Change {
  std::size_t begin;
  std::size_t end;
  std::string text;
};

class Differ {
public:
  Differ(std::string_view text, const std::vector<Edit>& edits) : m_text(text), m_lines(lines_of(text)) {
    for (const std::string_view line : m_lines)
      m_begins.push_back(static_cast<std::size_t>(line.data() - text.data()));
    m_begins.push_back(text.size());
    collect(sorted(edits));
  }

  std::string hunks() const {
    std::string result;
    long shift = 0; // of the new text's line numbers
    for (std::size_t i = 0; i < m_changes.size();) {
      std::size_t last = i;
      while (last + 1 < m_changes.size() && m_changes[last + 1].begin <= m_changes[last].end + 2 * k_context)
        ++last;
      result += hunk(i, last, shift);
      i = last + 1;
    }
    return result;
  }

private:
  std::size_t line_at(std::size_t offset) const {
    const auto behind = std::upper_bound(m_begins.begin(), m_begins.end() - 1, offset);
    return static_cast<std::size_t>(behind - m_begins.begin()) - (behind == m_begins.begin() ? 0 : 1);
  }

  void collect(const std::vector<Edit>& edits) {
    for (std::size_t i = 0; i < edits.size();) {
      const std::size_t begin = line_at(edits[i].offset);
      std::size_t end = begin;
      std::vector<Edit> here;
      for (; i < edits.size() && (here.empty() || line_at(edits[i].offset) < end); ++i) {
        end = std::max(end, line_at(edits[i].offset + edits[i].length) + 1);
        here.push_back(edits[i]);
      }
      end = std::min(end, m_lines.size());
      const std::size_t from = m_begins[begin];
      for (Edit& edit : here) edit.offset -= from;
      Change change{begin, end, applied(m_text.substr(from, m_begins[end] - from), here)};
      trim(change);
      if (change.begin != change.end || !change.text.empty()) m_changes.push_back(std::move(change));
    }
  }

  // Without lines that stay as they are at the begin and the end.
  void trim(Change& change) const {
    const Lines lines = lines_of(change.text);
    std::size_t first = 0;
    std::size_t last = lines.size();
    while (change.begin < change.end && first < last && m_lines[change.begin] == lines[first]) {
      ++change.begin;
      ++first;
    }
    while (change.begin < change.end && first < last && m_lines[change.end - 1] == lines[last - 1]) {
      --change.end;
      --last;
    }
    std::string text;
    for (std::size_t i = first; i < last; ++i) text += lines[i];
    change.text = text;
  }

  static void put(std::string& text, char mark, std::string_view line) {
    text += mark;
    text += line;
    if (!line.ends_with('\n')) text += "\n\\ No newline at end of file\n";
  }

  std::string hunk(std::size_t first, std::size_t last, long& shift) const {
    const std::size_t begin = m_changes[first].begin - std::min(m_changes[first].begin, k_context);
    const std::size_t end = std::min(m_changes[last].end + k_context, m_lines.size());
    std::string body;
    std::size_t at = begin;
    std::size_t added = 0;
    std::size_t removed = 0;
    for (std::size_t i = first; i <= last; ++i) {
      for (; at < m_changes[i].begin; ++at) put(body, ' ', m_lines[at]);
      for (; at < m_changes[i].end; ++at, ++removed) put(body, '-', m_lines[at]);
      for (const std::string_view line : lines_of(m_changes[i].text)) {
        put(body, '+', line);
        ++added;
      }
    }
    for (; at < end; ++at) put(body, ' ', m_lines[at]);
    const std::size_t old_count = end - begin;
    const std::size_t new_count = old_count - removed + added;
    const long new_begin = static_cast<long>(begin) + 1 + shift;
    shift += static_cast<long>(added) - static_cast<long>(removed);
    return "@@ -" + std::to_string(begin + 1) + ',' + std::to_string(old_count) + " +" +
           std::to_string(new_begin) + ',' + std::to_string(new_count) + " @@\n" + body;
  }

  std::string_view m_text;
  Lines m_lines;
  std::vector<std::size_t> m_begins;
  std::vector<Change> m_changes;
};

} // namespace

std::string unified_diff(std::string_view path, std::string_view text, const std::vector<Edit>& edits) {
  const std::string hunks = Differ(text, edits).hunks();
  if (hunks.empty()) return "";
  return "--- a/" + std::string(path) + "\n+++ b/" + std::string(path) + '\n' + hunks;
}

} // namespace reex::inference
