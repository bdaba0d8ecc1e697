#include "impact/changed_jumps.h"

namespace reex::impact {
namespace {

std::vector<ChangedJump> jumps_of(const Program& side, bool old, const std::string& file,
                                  const std::set<unsigned>& lines, unsigned first, unsigned count) {
  std::vector<ChangedJump> found;
  const auto facts = side.find(file);
  if (facts == side.end()) return found;
  for (auto jump = facts->second.jumps.lower_bound(first);
       jump != facts->second.jumps.end() && jump->first < first + count; ++jump)
    if (lines.contains(jump->first)) found.push_back({old, file, jump->first, jump->second});
  return found;
}

} // namespace

std::vector<ChangedJump> changed_jumps(const std::vector<FileLines>& changes, const Program& now,
                                       const Program& before) {
  std::vector<ChangedJump> found;
  for (const FileLines& change : changes) {
    for (const Hunk& hunk : change.hunks) {
      const auto gone =
          jumps_of(before, true, change.old_path, change.removed, hunk.old_start, hunk.old_count);
      const auto come = jumps_of(now, false, change.new_path, change.changed, hunk.new_start, hunk.new_count);
      if (gone.size() == come.size()) continue;
      const auto& more = gone.size() > come.size() ? gone : come;
      found.insert(found.end(), more.begin(), more.end());
    }
  }
  return found;
}

} // namespace reex::impact
