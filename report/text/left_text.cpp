#include "report/text/left_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/text/text_layout.h"

namespace reex {
namespace {

struct Unit {
  double seconds;
  const char* name;
};
constexpr Unit k_units[] = {
    {365.25 * 86400, "year"}, {86400, "day"}, {3600, "hour"}, {60, "minute"}, {1, "second"}};
constexpr double k_century = 100 * 365.25 * 86400;

std::string at_bound(const Left& left) {
  return left.bound ? fmt::format("at bound {}", *left.bound) : "without a bound";
}

bool is_left(const Left& left) { return !left.schedules || *left.schedules > 0; }

// "about 40 schedules", "too many schedules".
std::string estimated_schedules(const Left& left) {
  const bool one = left.schedules && std::llround(std::max(*left.schedules, 1.0)) == 1;
  return estimated_count(left) + (one ? " schedule" : " schedules");
}

std::string time_after_comma(const Left& left, const char* more) {
  return left.seconds ? fmt::format(", {}{}", estimated_time(*left.seconds), more) : "";
}

} // namespace

std::string estimated_count(const Left& left) {
  if (!left.schedules) return "too many";
  const double count = std::max(*left.schedules, 1.0);
  if (count >= 1e15) return fmt::format("about 10^{:.0f}", std::floor(std::log10(count)));
  const double digit = std::pow(10, std::max(0.0, std::floor(std::log10(count)) - 1));
  return "about " +
         grouped(static_cast<unsigned long long>(std::llround(count / digit) * std::llround(digit)));
}

std::string estimated_time(double seconds) {
  if (seconds < 1) return "less than a second";
  if (seconds > k_century) return "more than a century";
  for (const Unit& unit : k_units) {
    if (seconds < unit.seconds) continue;
    return counted(static_cast<unsigned long long>(std::llround(seconds / unit.seconds)), unit.name);
  }
  return "";
}

std::string left_in_progress(const std::vector<Left>& estimate) {
  if (estimate.empty() || !is_left(estimate.back())) return "";
  const Left& left = estimate.back();
  return fmt::format("{} left {}{}", estimated_count(left), at_bound(left), time_after_comma(left, ""));
}

std::string left_at_the_end(const std::vector<Left>& estimate) {
  std::string text;
  bool too_many = false; // at a lower bound, and so at this one, whatever its own estimate says
  for (Left left : estimate) {
    if (!is_left(left)) continue;
    too_many = too_many || !left.schedules;
    if (too_many) left.schedules = left.seconds = std::nullopt;
    text += text.empty()
                ? fmt::format("{} left {}{}", estimated_schedules(left), at_bound(left),
                              time_after_comma(left, " at this speed"))
                : fmt::format("; {} {}{}", estimated_count(left), at_bound(left), time_after_comma(left, ""));
  }
  return text;
}

std::string left_before(const std::vector<Left>& estimate) {
  std::string text;
  for (const Left& left : estimate) {
    Left all = left;
    if (all.schedules) *all.schedules += static_cast<double>(left.executed);
    const bool exact = !is_left(left);
    text += fmt::format("    {}: {}{}\n", at_bound(left),
                        exact ? counted(left.executed, "schedule") : estimated_schedules(all),
                        exact ? "" : time_after_comma(left, ""));
  }
  return text;
}

} // namespace reex
