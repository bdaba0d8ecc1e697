#include "impact/moved_lines.h"

#include <algorithm>

#include "impact/analysis.h"

namespace reex::impact {
namespace {

const std::string& text_of(const std::vector<std::string>& code, unsigned line) {
  static const std::string nothing;
  return line == 0 || line > code.size() ? nothing : code[line - 1];
}

bool does_something(const FileFacts& facts, unsigned line) {
  const auto call = facts.calls.lower_bound({line, 0, "", "", false});
  return (call != facts.calls.end() && call->line == line) ||
         std::any_of(facts.writes.begin(), facts.writes.end(),
                     [&](const FieldWrite& write) { return write.first <= line && line <= write.last; });
}

// Where a removed line stood: the line of the new side that came before it; 0 for the file's begin.
unsigned place_of(const FileLines& change, unsigned removed) {
  for (unsigned line = removed - 1; line > 0; --line)
    if (const unsigned now = change.removed.contains(line) ? 0 : new_line_of(change.hunks, line); now != 0)
      return now;
  return 0;
}

} // namespace

std::vector<MovedLine> moved_lines(const std::vector<FileLines>& changes, const Program& now,
                                   const Program& before) {
  std::vector<MovedLine> found;
  for (const FileLines& change : changes) {
    const auto facts = now.find(change.new_path);
    const auto old_facts = before.find(change.old_path);
    if (facts == now.end() || old_facts == before.end()) continue;
    for (const unsigned removed : change.removed) {
      const std::string& text = text_of(change.old_code, removed);
      const Function* from = text.empty() ? nullptr : function_at(old_facts->second, removed, false);
      if (from == nullptr || from->usr.empty()) continue;
      for (const unsigned line : change.changed) {
        if (text_of(change.code, line) != text || !does_something(facts->second, line)) continue;
        const Function* to = function_at(facts->second, line, false);
        if (to == nullptr || to->usr != from->usr) continue;
        const unsigned place = place_of(change, removed);
        if (place < line)
          found.push_back({change.new_path, line, place + 1, line - 1});
        else
          found.push_back({change.new_path, line, line + 1, place});
      }
    }
  }
  return found;
}

} // namespace reex::impact
