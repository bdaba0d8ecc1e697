// Changes of a text, by offset.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace reex {

struct Edit {
  std::size_t offset = 0;
  std::size_t length = 0; // of what is replaced
  std::string text;
};

// Sorted by offset; at one offset, insertions come before what removes text, otherwise in the given order.
std::vector<Edit> sorted(std::vector<Edit> edits);

// `edits` must not overlap.
std::string applied(std::string_view text, const std::vector<Edit>& edits);

} // namespace reex
