#include "impact/sources/staleness.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>
#include <utility>

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

// What one program or library was compiled from.
struct Module {
  std::string path;
  std::set<std::pair<std::string, std::string>> sources; // the path, and the checksum or ""
};

std::vector<Module> modules_of(const BinaryInfo& binary, const std::set<std::string>& files) {
  std::vector<Module> modules;
  std::set<std::tuple<std::string, std::string, std::string, std::string>>
      seen; // most units include the same headers
  for (const CompileUnit& unit : binary.units) {
    if (modules.empty() || modules.back().path != unit.module) modules.push_back({unit.module, {}});
    for (const SourceFile& file : unit.files) {
      if (is_system_file(file.path) || !seen.emplace(unit.module, unit.comp_dir, file.path, file.md5).second)
        continue;
      const std::string path = normalized(file.path, unit.comp_dir);
      if (is_system_file(path) || (!files.contains(path) && !is_there(path))) continue;
      modules.back().sources.emplace(path, file.md5);
    }
  }
  return modules;
}

// True if one of `files` differs from what was compiled.
bool check_module(const Module& module, const std::set<std::string>& files, std::vector<std::string>& notes) {
  bool stale = false;
  std::vector<std::string> changed;
  std::vector<std::string> newer;
  std::set<std::string> with_md5;
  std::error_code error;
  const fs::file_time_type built = fs::last_write_time(module.path, error);
  for (const auto& [path, md5] : module.sources) {
    if (md5.empty()) continue;
    with_md5.insert(path);
    if (md5_of_file(path) == md5) continue;
    if (changed.empty() || changed.back() != path) changed.push_back(path);
    stale = stale || files.contains(path);
  }
  for (const auto& [path, md5] : module.sources) {
    if (with_md5.contains(path)) continue;
    if (const fs::file_time_type written = fs::last_write_time(path, error); !error && written > built)
      newer.push_back(path);
  }
  const std::string name = fs::path(module.path).filename().string();
  if (!changed.empty())
    notes.push_back(name + " was built from another version of " + list(changed) + ": rebuild it");
  if (!newer.empty())
    notes.push_back(list(newer) + " was written after " + name + " was built: is it up to date?");
  return stale;
}

} // namespace

bool check_staleness(const BinaryInfo& binary, const std::set<std::string>& files,
                     std::vector<std::string>& notes) {
  bool stale = false;
  for (const Module& module : modules_of(binary, files)) stale = check_module(module, files, notes) || stale;
  return stale;
}

} // namespace reex::impact
