// Quantiles, geometric means and their ratios, of samples some of whose values are only lower bounds.
//
// Errors: none. An empty sample has no estimate (nullopt).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "report/statistics/observation.h"

namespace reex {

// What the censored values allow to say of an estimate.
enum class Known : std::uint8_t { exactly, at_least, at_most, unknown };

struct Estimate {
  double value = 0;
  Known known = Known::exactly;
};

// By linear interpolation between the order statistics (type 7 of Hyndman and Fan). `at` is from 0 to 1.
std::optional<Estimate> quantile(std::span<const Observation> sample, double at);

// The values are positive.
std::optional<Estimate> geometric_mean(std::span<const Observation> sample);

// How many times as great `a` is as `b`.
std::optional<Estimate> ratio(const std::optional<Estimate>& a, const std::optional<Estimate>& b);

} // namespace reex
