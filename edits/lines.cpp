#include "edits/lines.h"

#include <algorithm>

namespace reex {

std::size_t line_begin(std::string_view text, std::size_t offset) {
  while (offset > 0 && text[offset - 1] != '\n') --offset;
  return offset;
}

std::size_t line_end(std::string_view text, std::size_t offset) {
  return std::min(text.find('\n', offset), text.size());
}

std::string indentation(std::string_view text, std::size_t offset) {
  const std::size_t begin = line_begin(text, offset);
  std::size_t end = begin;
  while (end < text.size() && is_blank(text[end])) ++end;
  return std::string(text.substr(begin, end - begin));
}

bool is_first_on_line(std::string_view text, std::size_t offset) {
  while (offset > 0 && is_blank(text[offset - 1])) --offset;
  return offset == 0 || text[offset - 1] == '\n';
}

} // namespace reex
