#include "impact/hiding_functions.h"

#include <set>

#include "impact/analysis.h"

namespace reex::impact {
namespace {

std::set<std::string> defined_in(const Program& side, const std::string& file) {
  std::set<std::string> usrs;
  if (const auto facts = side.find(file); facts != side.end())
    for (const Function& function : facts->second.functions) usrs.insert(function.usr);
  return usrs;
}

void add_new_ones(const Program& side, bool old, const std::string& file, const std::set<unsigned>& lines,
                  const std::set<std::string>& known, std::vector<HidingFunction>& found) {
  const auto facts = side.find(file);
  if (facts == side.end()) return;
  for (const Function& function : facts->second.functions)
    if (!function.lambda && !function.class_name.empty() && !function.usr.empty() &&
        lines.contains(function.extent.begin_line) && !known.contains(function.usr))
      found.push_back(
          {old, file, function.extent.begin_line, function.method.substr(function.method.rfind(':') + 1)});
}

} // namespace

std::vector<HidingFunction> hiding_functions(const std::vector<FileLines>& changes, const Program& now,
                                             const Program& before) {
  std::vector<HidingFunction> found;
  for (const FileLines& change : changes) {
    const std::set<std::string> old_ones = defined_in(before, change.old_path);
    const std::set<std::string> new_ones = defined_in(now, change.new_path);
    add_new_ones(now, false, change.new_path, change.changed, old_ones, found);
    add_new_ones(before, true, change.old_path, change.removed, new_ones, found);
  }
  return found;
}

} // namespace reex::impact
