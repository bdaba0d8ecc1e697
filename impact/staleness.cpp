#include "impact/staleness.h"

#include <filesystem>
#include <map>

#include "impact/user_files.h"

namespace reex::impact {
namespace {

namespace fs = std::filesystem;

std::string list(const std::vector<std::string>& names) {
  std::string text = fs::path(names.front()).filename().string();
  if (names.size() > 1) text += " and " + std::to_string(names.size() - 1) + " more";
  return text;
}

} // namespace

bool check_staleness(const BinaryInfo& binary, const std::set<std::string>& files,
                     std::vector<std::string>& notes) {
  std::map<std::string, std::string> md5s;
  std::set<std::string> built_from;
  for (const CompileUnit& unit : binary.units) {
    for (const SourceFile& file : unit.files) {
      const std::string path = normalized(file.path, unit.comp_dir);
      if (!files.contains(path)) continue;
      built_from.insert(path);
      if (!file.md5.empty()) md5s[path] = file.md5;
    }
  }
  std::vector<std::string> changed;
  std::vector<std::string> newer;
  std::error_code error;
  const fs::file_time_type built = fs::last_write_time(binary.path, error);
  for (const std::string& path : built_from) {
    if (const auto md5 = md5s.find(path); md5 != md5s.end()) {
      if (md5_of_file(path) != md5->second) changed.push_back(path);
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
  if (built_from.empty() && !files.empty() && binary.has_debug_info) {
    notes.push_back("none of the changed files is part of " + name);
  }
  return !changed.empty();
}

} // namespace reex::impact
