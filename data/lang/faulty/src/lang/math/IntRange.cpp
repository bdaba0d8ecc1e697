#include "lang/math/IntRange.h"

#include <algorithm>

namespace lang::math {

IntRange::IntRange(int number1, int number2) : min(std::min(number1, number2)), max(std::max(number1, number2)) {}

bool IntRange::equals(const Range& range) const {
  const auto* other = dynamic_cast<const IntRange*>(&range);
  return other != nullptr && min == other->min && max == other->max;
}

int IntRange::hashCode() const {
  if (hash == 0) {
    hash = 17;
    hash = 37 * hash + classHash;
    hash = 37 * hash + static_cast<unsigned>(min);
    hash = 37 * hash + static_cast<unsigned>(max);
  }
  return static_cast<int>(hash);
}

std::string IntRange::toString() const { return "Range[" + std::to_string(min) + ',' + std::to_string(max) + ']'; }

} // namespace lang::math
