#include "lang/math/NumberRange.h"

#include <algorithm>
#include <functional>

namespace lang::math {

NumberRange::NumberRange(double number1, double number2)
    : min(std::min(number1, number2)), max(std::max(number1, number2)) {}

bool NumberRange::equals(const Range& range) const {
  const auto* other = dynamic_cast<const NumberRange*>(&range);
  return other != nullptr && min == other->min && max == other->max;
}

int NumberRange::hashCode() const {
  std::size_t result = 17;
  result = 37 * result + std::hash<double>()(min);
  result = 37 * result + std::hash<double>()(max);
  return static_cast<int>(result);
}

std::string NumberRange::toString() const { return "Range[" + std::to_string(min) + ',' + std::to_string(max) + ']'; }

} // namespace lang::math
