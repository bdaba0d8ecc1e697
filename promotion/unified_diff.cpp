#include "promotion/unified_diff.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

namespace reex::promotion {
namespace {

constexpr std::size_t k_context = 3;

using Lines = std::vector<std::string_view>;

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

struct Row {
  char mark; // ' ', '-' or '+'
  std::string_view line;
};

// By the longest common subsequence of the lines that are not equal at both ends.
std::vector<Row> rows_of(const Lines& a, const Lines& b) {
  std::size_t head = 0;
  while (head < a.size() && head < b.size() && a[head] == b[head]) ++head;
  std::size_t tail = 0;
  while (tail < a.size() - head && tail < b.size() - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail])
    ++tail;
  const std::size_t n = a.size() - head - tail;
  const std::size_t m = b.size() - head - tail;
  std::vector<std::vector<std::uint32_t>> common(n + 1, std::vector<std::uint32_t>(m + 1, 0));
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t j = m; j-- > 0;)
      common[i][j] = a[head + i] == b[head + j] ? common[i + 1][j + 1] + 1
                                                : std::max(common[i + 1][j], common[i][j + 1]);
  std::vector<Row> rows;
  for (std::size_t i = 0; i < head; ++i) rows.push_back({' ', a[i]});
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < n || j < m) {
    if (i < n && j < m && a[head + i] == b[head + j]) {
      rows.push_back({' ', a[head + i]});
      ++i, ++j;
    } else if (i < n && (j == m || common[i + 1][j] >= common[i][j + 1])) {
      rows.push_back({'-', a[head + i++]});
    } else {
      rows.push_back({'+', b[head + j++]});
    }
  }
  for (std::size_t k = a.size() - tail; k < a.size(); ++k) rows.push_back({' ', a[k]});
  return rows;
}

} // namespace

std::string unified_diff(const std::string& path, std::string_view before, std::string_view after) {
  if (before == after) return "";
  const std::vector<Row> rows = rows_of(lines_of(before), lines_of(after));
  std::string text = fmt::format("--- {}\n+++ b/{}\n", before.empty() ? "/dev/null" : "a/" + path, path);
  std::size_t old_line = 1;
  std::size_t new_line = 1;
  for (std::size_t i = 0; i < rows.size();) {
    // A hunk: from k_context lines before a difference to where 2 * k_context lines are equal.
    std::size_t first = i;
    while (first < rows.size() && rows[first].mark == ' ') ++first;
    if (first == rows.size()) break;
    const std::size_t begin = first - std::min(k_context, first - i);
    std::size_t end = first;
    for (std::size_t equal = 0, k = first; k < rows.size() && equal <= 2 * k_context; ++k) {
      equal = rows[k].mark == ' ' ? equal + 1 : 0;
      if (equal == 0) end = k + 1;
    }
    end = std::min(rows.size(), end + k_context);
    old_line += begin - i;
    new_line += begin - i;
    std::size_t olds = 0;
    std::size_t news = 0;
    std::string body;
    for (std::size_t k = begin; k < end; ++k) {
      olds += rows[k].mark != '+';
      news += rows[k].mark != '-';
      body += rows[k].mark;
      body += rows[k].line;
      if (!rows[k].line.ends_with('\n')) body += "\n\\ No newline at end of file\n";
    }
    text += fmt::format("@@ -{},{} +{},{} @@\n{}", olds == 0 ? old_line - 1 : old_line, olds, new_line, news,
                        body);
    old_line += olds;
    new_line += news;
    i = end;
  }
  return text;
}

} // namespace reex::promotion
