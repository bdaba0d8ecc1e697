#include "impact/units.h"

#include <algorithm>
#include <set>

#include "impact/compile_commands.h"
#include "impact/user_files.h"
#include "reex/symbols/resolver.h"

namespace reex::impact {
namespace {

std::string find_database(const ImpactRequest& request, const std::optional<BinaryInfo>& binary,
                          const std::string& root) {
  if (request.compile_commands) return *request.compile_commands;
  std::vector<std::string> build_folders;
  if (binary) {
    for (const CompileUnit& unit : binary->units) {
      const bool known =
          std::find(build_folders.begin(), build_folders.end(), unit.comp_dir) != build_folders.end();
      if (!unit.comp_dir.empty() && !known) build_folders.push_back(unit.comp_dir);
    }
  }
  return find_compile_commands(binary ? binary->path : "", build_folders, root);
}

} // namespace

std::vector<ParseJob> choose_units(const ImpactRequest& request, const std::optional<BinaryInfo>& binary,
                                   const std::string& root, std::vector<std::string>& notes) {
  const std::string path = find_database(request, binary, root);
  if (path.empty()) {
    notes.push_back(
        "no compile_commands.json: methods, locks and fields are not known; have CMake write one with "
        "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON");
    return {};
  }
  std::string problem;
  const std::optional<std::vector<ParseJob>> jobs = read_compile_commands(path, problem);
  if (!jobs) {
    notes.push_back(problem + ": methods, locks and fields are not known");
    return {};
  }
  if (!binary || binary->units.empty()) return *jobs;
  std::set<std::string> built;
  for (const CompileUnit& unit : binary->units) {
    if (!is_system_file(unit.name)) built.insert(normalized(unit.name, unit.comp_dir));
  }
  std::vector<ParseJob> chosen;
  for (const ParseJob& job : *jobs) {
    if (built.contains(job.file)) chosen.push_back(job);
  }
  if (chosen.empty()) {
    notes.push_back("none of the binary's sources is in " + path + ": all of its units are taken");
    return *jobs;
  }
  return chosen;
}

std::vector<UnitFiles> with_files(const std::vector<ParseJob>& jobs, IncludeScanner& scanner,
                                  const std::optional<BinaryInfo>& binary) {
  std::vector<UnitFiles> units;
  for (const ParseJob& job : jobs) {
    UnitFiles& unit = units.emplace_back(job, scanner.files_of(job));
    if (!binary) continue;
    // The line table knows includes that a macro names.
    for (const CompileUnit& built : binary->units) {
      if (normalized(built.name, built.comp_dir) != job.file) continue;
      for (const SourceFile& file : built.files) {
        if (!is_system_file(file.path)) unit.files.insert(normalized(file.path, built.comp_dir));
      }
    }
  }
  return units;
}

} // namespace reex::impact
