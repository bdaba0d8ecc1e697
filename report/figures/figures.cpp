#include "report/figures/figures.h"

#include <fmt/format.h>

#include <cmath>

#include "report/text/text_layout.h"

namespace reex {
namespace {

const char* mark_of(Known known) {
  switch (known) {
  case Known::exactly:
    return "";
  case Known::at_least:
    return "≥";
  case Known::at_most:
    return "≤";
  case Known::unknown:
    break;
  }
  return "?";
}

std::string number_text(double value) {
  const double rounded = std::round(value);
  if (value < 100 && std::abs(value - rounded) > 0.05) return fmt::format("{:.1f}", value);
  return grouped(static_cast<unsigned long long>(rounded));
}

} // namespace

std::string schedules_text(const std::optional<Estimate>& estimate) {
  return estimate ? mark_of(estimate->known) + number_text(estimate->value) : "–";
}

std::string schedules_text(const Observation& one) {
  return (one.censored ? ">" : "") + grouped(static_cast<unsigned long long>(one.value));
}

std::string factor_text(double factor) {
  if (factor < 0.095) return fmt::format("{:.2g}", factor);
  if (factor < 0.95) return fmt::format("{:.2f}", factor);
  if (factor < 99.95) return fmt::format("{:.1f}", factor);
  return grouped(static_cast<unsigned long long>(std::round(factor)));
}

std::string factor_text(const std::optional<Estimate>& factor) {
  if (!factor) return "–";
  if (factor->known == Known::unknown) return "?";
  return mark_of(factor->known) + factor_text(factor->value);
}

std::string interval_text(const std::optional<Interval>& interval) {
  if (!interval) return "no interval";
  return fmt::format("{} to {}", factor_text(interval->low), factor_text(interval->high));
}

std::string p_text(double p) { return p < 0.0001 ? "<0.0001" : fmt::format("{:.4f}", p); }

} // namespace reex
