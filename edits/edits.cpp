#include "edits/edits.h"

#include <algorithm>

namespace reex {

std::vector<Edit> sorted(std::vector<Edit> edits) {
  std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) {
    return std::pair(a.offset, a.length != 0) < std::pair(b.offset, b.length != 0);
  });
  return edits;
}

std::string applied(std::string_view text, const std::vector<Edit>& edits) {
  std::string result;
  std::size_t at = 0;
  for (const Edit& edit : sorted(edits)) {
    result += text.substr(at, edit.offset - at);
    result += edit.text;
    at = edit.offset + edit.length;
  }
  result += text.substr(at);
  return result;
}

} // namespace reex
