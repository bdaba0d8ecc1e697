#pragma once

#include <string>

namespace lang::math {

// A range of numbers, both ends included. Immutable, so that any thread may use it.
class Range {
public:
  virtual ~Range() = default;

  virtual double getMinimumDouble() const = 0;
  virtual double getMaximumDouble() const = 0;
  virtual int getMinimumInteger() const { return static_cast<int>(getMinimumDouble()); }
  virtual int getMaximumInteger() const { return static_cast<int>(getMaximumDouble()); }

  virtual bool containsDouble(double value) const { return value >= getMinimumDouble() && value <= getMaximumDouble(); }
  virtual bool containsInteger(int value) const { return containsDouble(value); }

  virtual bool containsRange(const Range& range) const {
    return containsDouble(range.getMinimumDouble()) && containsDouble(range.getMaximumDouble());
  }
  virtual bool overlapsRange(const Range& range) const {
    return range.containsDouble(getMinimumDouble()) || range.containsDouble(getMaximumDouble()) ||
           containsDouble(range.getMinimumDouble());
  }

  virtual bool equals(const Range& range) const = 0;
  virtual int hashCode() const = 0;
  virtual std::string toString() const = 0;
};

} // namespace lang::math
