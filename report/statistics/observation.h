// What a run has shown of a quantity: its value, or only that it is greater (right-censored: the run ended
// first).
#pragma once

#include <span>
#include <vector>

namespace reex {

struct Observation {
  double value = 0;
  bool censored = false; // the true value is greater than `value`
};

using Sample = std::vector<Observation>;

// -1 if `a` is certainly less than `b`, 1 if it is certainly greater, 0 if they are equal or nobody knows.
int certain_order(const Observation& a, const Observation& b);

bool any_censored(std::span<const Observation> sample);

} // namespace reex
