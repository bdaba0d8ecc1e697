#include "impact/sources/changed_lines.h"

#include <algorithm>

#include "impact/sources/lexical.h"

namespace reex::impact {
namespace {

using Code = std::vector<std::string>;

// What a compiler sees of the lines. Only for it, the end of a line with a directive is more than white
// space.
std::string code_between(const Code& lines, unsigned start, unsigned count) {
  std::string code;
  for (unsigned line = start; line < start + count && line <= lines.size(); ++line) {
    const std::string& text = lines[line - 1];
    if (text.empty()) continue;
    const bool of_directive = text.front() == '#' || text.back() == '\\';
    if (of_directive) code += '\n';
    if (!code.empty() && needs_space(code.back(), text.front())) code += ' ';
    code += text;
    if (of_directive) code += '\n';
  }
  return code;
}

// The parts of a hunk between the lines whose code stays: white space and comments at such a line are no
// change of it (a longest common subsequence of lines). A very long hunk stays whole.
std::vector<Hunk> without_equal_lines(const Hunk& hunk, const Code& old_code, const Code& code) {
  constexpr std::size_t k_most = 4'000'000; // cells of the table
  const std::size_t rows = hunk.old_count;
  const std::size_t columns = hunk.new_count;
  const bool fits =
      hunk.old_start + rows <= old_code.size() + 1 && hunk.new_start + columns <= code.size() + 1;
  if (rows == 0 || columns == 0 || rows * columns > k_most || !fits) return {hunk};
  const auto equal = [&](std::size_t row, std::size_t column) {
    return old_code[hunk.old_start - 1 + row] == code[hunk.new_start - 1 + column];
  };
  std::vector<unsigned> longest((rows + 1) * (columns + 1), 0); // from a row and a column to the end
  const auto at = [&](std::size_t row, std::size_t column) -> unsigned& {
    return longest[row * (columns + 1) + column];
  };
  for (std::size_t row = rows; row-- > 0;)
    for (std::size_t column = columns; column-- > 0;)
      at(row, column) = equal(row, column) ? at(row + 1, column + 1) + 1
                                           : std::max(at(row + 1, column), at(row, column + 1));
  std::vector<Hunk> parts;
  std::size_t row = 0;
  std::size_t column = 0;
  for (std::size_t first_row = 0, first_column = 0;; first_row = row, first_column = column) {
    while (row < rows && column < columns && !equal(row, column))
      at(row + 1, column) >= at(row, column + 1) ? ++row : ++column;
    const bool end = row == rows || column == columns;
    if (end) row = rows, column = columns;
    if (row > first_row || column > first_column) {
      Hunk part;
      part.old_count = static_cast<unsigned>(row - first_row);
      part.new_count = static_cast<unsigned>(column - first_column);
      part.old_start = hunk.old_start + static_cast<unsigned>(first_row) - (part.old_count == 0 ? 1 : 0);
      part.new_start = hunk.new_start + static_cast<unsigned>(first_column) - (part.new_count == 0 ? 1 : 0);
      parts.push_back(part);
    }
    if (end) return parts;
    ++row;
    ++column;
  }
}

void add_code_lines(const std::vector<std::string>& lines, unsigned start, unsigned count,
                    std::set<unsigned>& set) {
  for (unsigned line = start; line < start + count && line <= lines.size(); ++line) {
    if (!lines[line - 1].empty()) set.insert(line);
  }
}

} // namespace

FileLines changed_lines(const FileChange& change, const std::string& root, const std::string& old_text,
                        const std::string& new_text) {
  FileLines result;
  if (!change.old_path.empty()) result.old_path = root + "/" + change.old_path;
  if (!change.new_path.empty()) result.new_path = root + "/" + change.new_path;
  result.code = code_of_lines(new_text);
  result.old_code = code_of_lines(old_text);
  const Code& old_code = result.old_code;
  for (const Hunk& hunk : change.hunks) {
    const std::vector<Hunk> parts = without_equal_lines(hunk, old_code, result.code);
    result.hunks.insert(result.hunks.end(), parts.begin(), parts.end());
  }
  for (const Hunk& hunk : result.hunks) {
    const std::string before = code_between(old_code, hunk.old_start, hunk.old_count);
    const std::string after = code_between(result.code, hunk.new_start, hunk.new_count);
    if (before == after) continue;
    add_code_lines(old_code, hunk.old_start, hunk.old_count, result.removed);
    add_code_lines(result.code, hunk.new_start, hunk.new_count, result.changed);
    if (after.empty() && !before.empty()) {
      const unsigned place = hunk.new_count == 0 ? hunk.new_start : hunk.new_start + hunk.new_count - 1;
      result.deletions.emplace(place, *result.removed.lower_bound(hunk.old_start));
    }
  }
  return result;
}

} // namespace reex::impact
