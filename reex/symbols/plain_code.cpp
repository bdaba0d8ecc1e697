#include "reex/symbols/plain_code.h"

#include <algorithm>
#include <set>

#include "reex/symbols/stack_switch.h"
#include "reex/symbols/unhooked_code.h"
#include "reex/symbols/unit_index.h"

namespace reex::detail {
namespace {

void judge(const CodeUnit& unit, const ModuleCode& module, std::set<std::string>& found) {
  if (unit.producer.find("-fsanitize=thread") != std::string::npos) return;
  const auto some = [&](const auto& holds) {
    return std::any_of(unit.ranges.begin(), unit.ranges.end(), holds);
  };
  if (some([&](const CodeRange& one) { return module.calls_hooks(one); }) ||
      !some([&](const CodeRange& one) { return module.may_access(one); }))
    return;
  if (!is_known_source(unit.source) && !switches_stacks(module, unit)) found.insert(unit.source);
}

// What the units contain, by address.
std::vector<CodeRange> covered_by(const std::vector<CodeUnit>& units) {
  std::vector<CodeRange> covered;
  for (const CodeUnit& unit : units) covered.insert(covered.end(), unit.ranges.begin(), unit.ranges.end());
  std::sort(covered.begin(), covered.end(),
            [](const CodeRange& a, const CodeRange& b) { return a.low < b.low; });
  return covered;
}

// -static-libstdc++, or what does the same for libc++: the runtime stands in for functions of a shared
// library, and calls within a module do not come to it.
bool has_language_library(const ModuleCode& module) {
  return std::any_of(module.functions().begin(), module.functions().end(), [](const CodeFunction& function) {
    return function.name == "__cxa_throw" || function.name == "__cxa_guard_acquire";
  });
}

} // namespace

std::vector<std::string> plain_code(const ModuleCode& module, const std::vector<CodeUnit>& units,
                                    std::size_t at_most) {
  std::set<std::string> found;
  for (const CodeUnit& unit : units) judge(unit, module, found);
  const std::vector<CodeRange> covered = covered_by(units);
  for (const CodeFunction& function : module.functions()) {
    const auto after =
        std::upper_bound(covered.begin(), covered.end(), function.range.low,
                         [](std::uint64_t low, const CodeRange& range) { return low < range.low; });
    if (after != covered.begin() && function.range.low < std::prev(after)->high) continue;
    // Code without debug information always has a function for others, too.
    if (!function.is_exported || is_known_function(function.name) || module.calls_hooks(function.range) ||
        !module.may_access(function.range) || switches_stacks(module, function))
      continue;
    found.insert(demangled(function.name.data()));
  }
  std::vector<std::string> result(found.begin(), found.end());
  if (has_language_library(module)) result.insert(result.begin(), k_static_library);
  if (result.size() > at_most) result.resize(at_most);
  return result;
}

} // namespace reex::detail
