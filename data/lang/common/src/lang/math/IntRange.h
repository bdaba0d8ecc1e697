#pragma once

#include <atomic>

#include "lang/math/Range.h"

namespace lang::math {

// A range of integers. Its hash code is computed when it is first asked for.
class IntRange : public Range {
public:
  explicit IntRange(int number) : IntRange(number, number) {}
  IntRange(int number1, int number2);

  double getMinimumDouble() const override { return min; }
  double getMaximumDouble() const override { return max; }
  int getMinimumInteger() const override { return min; }
  int getMaximumInteger() const override { return max; }
  bool containsInteger(int value) const override { return value >= min && value <= max; }

  bool equals(const Range& range) const override;
  int hashCode() const override;
  std::string toString() const override;

private:
  static constexpr unsigned classHash = 41;

  const int min;
  const int max;
  mutable std::atomic<unsigned> hash{0}; // 0: not computed yet
};

} // namespace lang::math
