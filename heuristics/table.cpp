#include "heuristics/table.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace reex {
namespace {

constexpr auto k_all = PrioritizationMode::all;
constexpr auto k_some = PrioritizationMode::some;

// The names and their order are those of the columns in Tables 4.2 and 4.3.
constexpr std::array<Heuristic, 15> k_heuristics{{
    {"Basic", "no prioritization: every enabled transition is kept", PrioritizationMode::basic, 0},
    {"CA", "all enabled threads are at an impacted class", k_all, k_match_class},
    {"CS", "some enabled thread is at an impacted class", k_some, k_match_class},
    {"COA", "all enabled threads have an impacted class on the stack", k_all, k_match_class_on_stack},
    {"COS", "some enabled thread has an impacted class on the stack", k_some, k_match_class_on_stack},
    {"MA", "all enabled threads are at an impacted method", k_all, k_match_method},
    {"MS", "some enabled thread is at an impacted method", k_some, k_match_method},
    {"MOA", "all enabled threads have an impacted method on the stack", k_all, k_match_method_on_stack},
    {"MOS", "some enabled thread has an impacted method on the stack", k_some, k_match_method_on_stack},
    {"LA", "all enabled threads are at an impacted line", k_all, k_match_line},
    {"LS", "some enabled thread is at an impacted line", k_some, k_match_line},
    {"LOA", "all enabled threads have an impacted line on the stack", k_all, k_match_line_on_stack},
    {"LOS", "some enabled thread has an impacted line on the stack", k_some, k_match_line_on_stack},
    {"FA", "all enabled threads access an impacted field", k_all, k_match_field},
    {"FS", "some enabled thread accesses an impacted field", k_some, k_match_field},
}};

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

} // namespace

std::span<const Heuristic> heuristics() { return k_heuristics; }

std::optional<Heuristic> find_heuristic(std::string_view name) {
  for (const Heuristic& heuristic : k_heuristics)
    if (same_name(heuristic.name, name)) return heuristic;
  return std::nullopt;
}

namespace {

constexpr std::string_view k_idle = "+idle";

std::string_view without_idle(std::string_view name) {
  name.remove_suffix(idle_of(name).size());
  return name;
}

// Empty for a name that is none.
std::vector<Heuristic> heuristics_of(std::string_view name) {
  const bool keeps_idle = !idle_of(name).empty();
  name = without_idle(name);
  std::vector<Heuristic> all;
  for (;;) {
    const std::size_t plus = name.find('+');
    const auto one = find_heuristic(name.substr(0, plus));
    const auto is_same = [&](const Heuristic& other) { return other.name == one->name; };
    if (!one || std::any_of(all.begin(), all.end(), is_same)) return {};
    all.push_back(*one);
    if (plus == std::string_view::npos) break;
    name.remove_prefix(plus + 1);
  }
  const auto is_basic = [](const Heuristic& one) { return one.mode == PrioritizationMode::basic; };
  const bool mixed = (all.size() > 1 || keeps_idle) && std::any_of(all.begin(), all.end(), is_basic);
  return mixed || all.size() > k_most_rules ? std::vector<Heuristic>{} : all;
}

} // namespace

std::string_view idle_of(std::string_view name) {
  return name.size() > k_idle.size() && same_name(name.substr(name.size() - k_idle.size()), k_idle) ? k_idle
                                                                                                    : "";
}

bool is_auto_heuristic(std::string_view name) { return without_idle(name) == k_auto_heuristic; }

std::optional<std::string> canonical_heuristics(std::string_view name) {
  std::string names;
  for (const Heuristic& one : heuristics_of(name)) {
    if (!names.empty()) names += '+';
    names += one.name;
  }
  if (names.empty()) return std::nullopt;
  return names.append(idle_of(name));
}

std::optional<Prioritization> prioritization_of(std::string_view name) {
  const std::vector<Heuristic> all = heuristics_of(name);
  if (all.empty()) return std::nullopt;
  Prioritization by;
  by.others = static_cast<std::uint8_t>(all.size() - 1);
  by.keeps_idle = !idle_of(name).empty();
  for (std::size_t i = 0; i < all.size(); ++i) by.rule[i] = {all[i].mode, all[i].mask};
  return by;
}

const Heuristic& default_heuristic() { return k_heuristics[11]; }

} // namespace reex
