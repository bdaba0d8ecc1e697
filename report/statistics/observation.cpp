#include "report/statistics/observation.h"

#include <algorithm>

namespace reex {
namespace {

bool certainly_less(const Observation& a, const Observation& b) {
  return !a.censored && (b.censored ? a.value <= b.value : a.value < b.value);
}

} // namespace

int certain_order(const Observation& a, const Observation& b) {
  if (certainly_less(a, b)) return -1;
  return certainly_less(b, a) ? 1 : 0;
}

bool any_censored(std::span<const Observation> sample) {
  return std::any_of(sample.begin(), sample.end(), [](const Observation& one) { return one.censored; });
}

} // namespace reex
