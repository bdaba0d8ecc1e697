#include "git/change.h"

#include <algorithm>

namespace reex {

const char* to_string(FileStatus status) {
  switch (status) {
  case FileStatus::added:
    return "added";
  case FileStatus::deleted:
    return "deleted";
  case FileStatus::modified:
    return "modified";
  case FileStatus::renamed:
    return "renamed";
  }
  return "";
}

namespace {

// The first line of a side that is not before the hunk.
unsigned first_line(unsigned start, unsigned count) { return count == 0 ? start + 1 : start; }

} // namespace

unsigned new_line_of(const std::vector<Hunk>& hunks, unsigned old_line) {
  long shift = 0;
  for (const Hunk& hunk : hunks) {
    const unsigned first = first_line(hunk.old_start, hunk.old_count);
    if (old_line < first) break;
    if (old_line < first + hunk.old_count) return 0;
    shift += static_cast<long>(hunk.new_count) - static_cast<long>(hunk.old_count);
  }
  return static_cast<unsigned>(old_line + shift);
}

unsigned old_line_of(const std::vector<Hunk>& hunks, unsigned new_line) {
  long shift = 0;
  for (const Hunk& hunk : hunks) {
    const unsigned first = first_line(hunk.new_start, hunk.new_count);
    if (new_line < first) break;
    if (new_line < first + hunk.new_count) return 0;
    shift += static_cast<long>(hunk.old_count) - static_cast<long>(hunk.new_count);
  }
  return static_cast<unsigned>(new_line + shift);
}

std::string old_content(const FileChange& change, const std::string& new_content) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < new_content.size();) {
    const std::size_t end = std::min(new_content.find('\n', begin), new_content.size());
    lines.push_back(new_content.substr(begin, end - begin));
    begin = end + 1;
  }
  std::string text;
  std::size_t next = 1;
  const auto copy_until = [&](std::size_t stop) {
    for (; next < stop && next <= lines.size(); ++next) text += lines[next - 1] + '\n';
  };
  for (const Hunk& hunk : change.hunks) {
    copy_until(first_line(hunk.new_start, hunk.new_count));
    for (const std::string& line : hunk.removed) text += line + '\n';
    next += hunk.new_count;
  }
  copy_until(lines.size() + 1);
  return text;
}

} // namespace reex
