#pragma once

#include "lang/math/Range.h"

namespace lang::math {

// A range of floating-point numbers.
class NumberRange : public Range {
public:
  explicit NumberRange(double number) : NumberRange(number, number) {}
  NumberRange(double number1, double number2);

  double getMinimumDouble() const override { return min; }
  double getMaximumDouble() const override { return max; }
  bool equals(const Range& range) const override;
  int hashCode() const override;
  std::string toString() const override;

private:
  const double min;
  const double max;
};

} // namespace lang::math
