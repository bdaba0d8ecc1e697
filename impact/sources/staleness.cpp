#include "impact/sources/staleness.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

#include "impact/sources/paths.h"
#include "reex/symbols/resolver.h"

namespace reex::impact {
namespace {

namespace fs = std::filesystem;

std::string list(const std::vector<std::string>& names) {
  std::string text = fs::path(names.front()).filename().string();
  if (names.size() > 1) text += " and " + std::to_string(names.size() - 1) + " more";
  return text;
}

bool is_there(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

} // namespace

bool check_staleness(const BinaryInfo& binary, const std::set<std::string>& files,
                     std::vector<std::string>& notes) {
  std::map<std::string, std::string> md5s;
  std::set<std::string> built_from;
  std::set<std::tuple<std::string, std::string, std::string>> seen; // most units include the same headers
  for (const CompileUnit& unit : binary.units) {
    for (const SourceFile& file : unit.files) {
      if (is_system_file(file.path) || !seen.emplace(unit.comp_dir, file.path, file.md5).second) continue;
      const std::string path = normalized(file.path, unit.comp_dir);
      if (is_system_file(path) || (!files.contains(path) && !is_there(path))) continue;
      built_from.insert(path);
      if (!file.md5.empty()) md5s[path] = file.md5;
    }
  }
  bool stale = false;
  std::vector<std::string> changed;
  std::vector<std::string> newer;
  std::error_code error;
  const fs::file_time_type built = fs::last_write_time(binary.path, error);
  for (const std::string& path : built_from) {
    if (const auto md5 = md5s.find(path); md5 != md5s.end()) {
      if (md5_of_file(path) == md5->second) continue;
      changed.push_back(path);
      stale = stale || files.contains(path);
    } else if (const fs::file_time_type written = fs::last_write_time(path, error);
               !error && written > built) {
      newer.push_back(path);
    }
  }
  const std::string name = fs::path(binary.path).filename().string();
  if (!changed.empty()) {
    notes.push_back(name + " was built from another version of " + list(changed) + ": rebuild it");
  }
  if (!newer.empty())
    notes.push_back(list(newer) + " was written after " + name + " was built: is it up to date?");
  const bool part = std::any_of(files.begin(), files.end(),
                                [&](const std::string& file) { return built_from.contains(file); });
  if (!part && !files.empty() && binary.has_debug_info) {
    notes.push_back("none of the changed files is part of " + name);
  }
  return stale;
}

} // namespace reex::impact
