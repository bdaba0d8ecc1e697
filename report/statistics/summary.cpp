#include "report/statistics/summary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace reex {
namespace {

double quantile_of(std::vector<double> values, double at) {
  std::sort(values.begin(), values.end());
  const double place = at * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(place));
  const double part = place - std::floor(place);
  if (part == 0 || values[below] == values[below + 1]) return values[below];
  return values[below] + part * (values[below + 1] - values[below]);
}

} // namespace

// The censored values are somewhere between what they are and infinity. Where both ends give the same
// quantile, it is known.
std::optional<Estimate> quantile(std::span<const Observation> sample, double at) {
  if (sample.empty()) return std::nullopt;
  std::vector<double> least;
  std::vector<double> most;
  for (const Observation& one : sample) {
    least.push_back(one.value);
    most.push_back(one.censored ? std::numeric_limits<double>::infinity() : one.value);
  }
  const double value = quantile_of(least, at);
  return Estimate{value, quantile_of(most, at) == value ? Known::exactly : Known::at_least};
}

std::optional<Estimate> geometric_mean(std::span<const Observation> sample) {
  if (sample.empty()) return std::nullopt;
  double sum = 0;
  for (const Observation& one : sample) sum += std::log(one.value);
  return Estimate{std::exp(sum / static_cast<double>(sample.size())),
                  any_censored(sample) ? Known::at_least : Known::exactly};
}

std::optional<Estimate> ratio(const std::optional<Estimate>& a, const std::optional<Estimate>& b) {
  if (!a || !b || b->value <= 0) return std::nullopt;
  Estimate result{a->value / b->value, a->known};
  if (b->known != Known::exactly) result.known = a->known == Known::exactly ? Known::at_most : Known::unknown;
  return result;
}

} // namespace reex
