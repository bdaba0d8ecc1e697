#include "impact/changed_lines.h"

#include "impact/lexical.h"

namespace reex::impact {
namespace {

std::string code_between(const std::vector<std::string>& lines, unsigned start, unsigned count) {
  std::string code;
  for (unsigned line = start; line < start + count && line <= lines.size(); ++line) {
    if (!lines[line - 1].empty()) code += lines[line - 1] + '\n';
  }
  return code;
}

void add_code_lines(const std::vector<std::string>& lines, unsigned start, unsigned count,
                    std::set<unsigned>& set) {
  for (unsigned line = start; line < start + count && line <= lines.size(); ++line) {
    if (!lines[line - 1].empty()) set.insert(line);
  }
}

} // namespace

FileLines changed_lines(const FileChange& change, const std::string& root, const std::string& old_text,
                        const std::string& new_text) {
  FileLines result;
  if (!change.old_path.empty()) result.old_path = root + "/" + change.old_path;
  if (!change.new_path.empty()) result.new_path = root + "/" + change.new_path;
  result.hunks = change.hunks;
  result.code = code_of_lines(new_text);
  result.old_code = code_of_lines(old_text);
  const std::vector<std::string>& old_code = result.old_code;
  for (const Hunk& hunk : change.hunks) {
    const std::string before = code_between(old_code, hunk.old_start, hunk.old_count);
    const std::string after = code_between(result.code, hunk.new_start, hunk.new_count);
    if (before == after) continue;
    add_code_lines(old_code, hunk.old_start, hunk.old_count, result.removed);
    add_code_lines(result.code, hunk.new_start, hunk.new_count, result.changed);
    if (after.empty()) {
      result.deletions.push_back(hunk.new_count == 0 ? hunk.new_start : hunk.new_start + hunk.new_count - 1);
    }
  }
  return result;
}

} // namespace reex::impact
