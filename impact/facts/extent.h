// A range of source text.
#pragma once

#include <compare>

namespace reex {

// Half-open, within one file. Columns begin at 1 and count bytes.
struct Extent {
  unsigned begin_line = 0;
  unsigned begin_column = 0;
  unsigned end_line = 0;
  unsigned end_column = 0;

  bool contains_line(unsigned line) const { return begin_line <= line && line <= end_line; }
  bool contains(unsigned line, unsigned column) const;
  auto operator<=>(const Extent&) const = default;
};

// Whether `outer` contains `inner`, or is equal to it.
bool within(const Extent& inner, const Extent& outer);

} // namespace reex
