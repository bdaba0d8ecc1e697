#include "impact/facts/extent.h"

#include <tuple>

namespace reex {

bool Extent::contains(unsigned line, unsigned column) const {
  return std::tie(begin_line, begin_column) <= std::tie(line, column) &&
         std::tie(line, column) < std::tie(end_line, end_column);
}

bool within(const Extent& inner, const Extent& outer) {
  return std::tie(outer.begin_line, outer.begin_column) <= std::tie(inner.begin_line, inner.begin_column) &&
         std::tie(inner.end_line, inner.end_column) <= std::tie(outer.end_line, outer.end_column);
}

} // namespace reex
