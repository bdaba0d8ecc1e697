#include "lang/math/IntRange.h"

#include <algorithm>

namespace lang::math {

IntRange::IntRange(int number1, int number2) : min(std::min(number1, number2)), max(std::max(number1, number2)) {}

bool IntRange::equals(const Range& range) const {
  const auto* other = dynamic_cast<const IntRange*>(&range);
  return other != nullptr && min == other->min && max == other->max;
}

int IntRange::hashCode() const {
  unsigned result = hash;
  if (result == 0) {
    result = 17;
    result = 37 * result + classHash;
    result = 37 * result + static_cast<unsigned>(min);
    result = 37 * result + static_cast<unsigned>(max);
    hash = result;
  }
  return static_cast<int>(result);
}

std::string IntRange::toString() const { return "Range[" + std::to_string(min) + ',' + std::to_string(max) + ']'; }

} // namespace lang::math
