#include "cli/verdict/suppress.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <regex>

#include "cli/options/glob.h"
#include "cli/options/sanitizer_suppressions.h"
#include "reex/run/finding_kinds.h"

namespace reex {
namespace {

// The positions that belong to a failure. The other threads of a crash happened to be where they were.
std::vector<ThreadPosition> parts_of(const Failure& failure) {
  if (failure.kind == "deadlock" || failure.kind == "livelock" || row_of_failure(failure.kind) != nullptr)
    return failure.where;
  return {failure.where.begin(), failure.where.begin() + (failure.where.empty() ? 0 : 1)};
}

// The name of a global variable of which a finding may be about a part: "table" of "table+8" and of
// "table.rows[2]". "" if it is about something else.
std::string variable_of(const std::string& object) {
  if (object.starts_with("descriptor ")) return "";
  static const std::regex way(R"((\.[A-Za-z_]\w*|\[\d+\])*(\+\d+)?$)");
  return std::regex_replace(object, way, "", std::regex_constants::format_first_only);
}

// A line of ThreadSanitizer's covers a function, a file, a module or a global variable.
bool matches_pattern(const SanitizerPattern& pattern, const std::string& kind,
                     const std::vector<ThreadPosition>& where, const std::string& object) {
  if (std::find(pattern.kinds.begin(), pattern.kinds.end(), kind) == pattern.kinds.end()) return false;
  const auto covers = [&](const std::string& text) { return sanitizer_pattern_matches(pattern.text, text); };
  const auto covers_frame = [&](const Frame& frame) {
    return covers(frame.function) || covers(frame.file) || covers(frame.module);
  };
  if (!pattern.innermost_only && covers(variable_of(object))) return true;
  return std::any_of(where.begin(), where.end(), [&](const ThreadPosition& position) {
    const auto& stack = position.stack;
    const auto end = pattern.innermost_only && !stack.empty() ? stack.begin() + 1 : stack.end();
    return std::any_of(stack.begin(), end, covers_frame);
  });
}

void remove_schedule(const std::string& path) {
  std::error_code ignored;
  if (!path.empty()) std::filesystem::remove(path, ignored);
}

} // namespace

Suppressions::Suppressions(const std::vector<Suppression>& all, const std::string& root,
                           const std::string& today)
    : m_root(root.empty() || root.ends_with('/') ? root : root + '/') {
  for (const Suppression& one : all) {
    if (one.expires.empty() || today <= one.expires)
      m_rows.push_back({one, false});
    else
      m_expired.push_back(fmt::format("{}: the suppression expired on {} and does not count any more ({})",
                                      one.where, one.expires, one.reason));
  }
}

bool Suppressions::matches(const Suppression& one, const Frame& frame) const {
  if (!one.function.empty() && !glob_matches_function(one.function, frame.function)) return false;
  if (one.file.empty()) return true;
  const bool inside = !m_root.empty() && frame.file.starts_with(m_root);
  return glob_matches_path(one.file, inside ? frame.file.substr(m_root.size()) : frame.file);
}

bool Suppressions::matches(const Suppression& one, const std::string& kind, const std::string& key,
                           const std::vector<ThreadPosition>& where, const std::string& object) const {
  if (!one.pattern.text.empty()) return matches_pattern(one.pattern, kind, where, object);
  if (!one.kind.empty() && one.kind != kind) return false;
  if (!key.starts_with(one.key)) return false;
  if (one.function.empty() && one.file.empty()) return true;
  return std::any_of(where.begin(), where.end(), [&](const ThreadPosition& position) {
    return std::any_of(position.stack.begin(), position.stack.end(),
                       [&](const Frame& frame) { return matches(one, frame); });
  });
}

const Suppressions::Row* Suppressions::find(const Failure& failure) const {
  const std::vector<ThreadPosition> where = parts_of(failure);
  const auto found = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& row) {
    return matches(row.suppression, failure.kind, failure.key, where, "");
  });
  return found == m_rows.end() ? nullptr : &*found;
}

const Suppressions::Row* Suppressions::find(const Finding& finding) const {
  const FindingRow* kind = row_of_finding(finding.kind);
  const auto found = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& row) {
    return matches(row.suppression, std::string(kind == nullptr ? finding.kind : kind->failure), finding.key,
                   finding.where, finding.object);
  });
  return found == m_rows.end() ? nullptr : &*found;
}

void Suppressions::apply(TestRun& run) {
  const auto take = [&](auto& list, const auto& kind_of) {
    std::erase_if(list, [&](const auto& one) {
      const Row* row = find(one);
      if (row == nullptr) return false;
      m_rows[static_cast<std::size_t>(row - m_rows.data())].used = true;
      run.suppressed.push_back({kind_of(one), one.key, one.message, one.schedule, row->suppression.reason,
                                row->suppression.where});
      remove_schedule(one.replay);
      return true;
    });
  };
  take(run.failures, [](const Failure& failure) { return failure.kind; });
  take(run.findings, [](const Finding& finding) {
    const FindingRow* kind = row_of_finding(finding.kind);
    return std::string(kind == nullptr ? finding.kind : kind->failure);
  });
}

std::vector<std::string> Suppressions::unused() const {
  std::vector<std::string> lines;
  for (const Row& row : m_rows)
    if (!row.used)
      lines.push_back(fmt::format("{}: the suppression matched nothing in this run ({})",
                                  row.suppression.where, row.suppression.reason));
  return lines;
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm local = {};
  localtime_r(&now, &local);
  return fmt::format("{:04}-{:02}-{:02}", local.tm_year + 1900, local.tm_mon + 1, local.tm_mday);
}

} // namespace reex
