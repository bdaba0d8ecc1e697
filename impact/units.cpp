#include "impact/units.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string_view>

#include "impact/sources/compile_commands.h"
#include "impact/sources/paths.h"
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

// Of the C library. A folder of the project that has one of its own may not have been in the include paths
// at all: its files include each other by their place.
constexpr std::array<std::string_view, 22> k_headers = {
    "assert.h", "ctype.h",  "errno.h",   "fcntl.h",   "float.h",     "limits.h", "locale.h", "math.h",
    "memory.h", "poll.h",   "pthread.h", "sched.h",   "semaphore.h", "signal.h", "stddef.h", "stdint.h",
    "stdio.h",  "stdlib.h", "string.h",  "threads.h", "time.h",      "unistd.h"};

bool hides_the_library(const std::string& folder) {
  return std::any_of(k_headers.begin(), k_headers.end(), [&](std::string_view header) {
    std::error_code error;
    return std::filesystem::exists(std::filesystem::path(folder) / header, error);
  });
}

// The units, if there is no compile_commands.json. The binary's DWARF names the sources, the folder in which
// the compiler ran and, for g++, its options. The include paths are guessed from the files that were read.
// The macros of the command line are lost.
std::vector<ParseJob> units_of_binary(const BinaryInfo& binary) {
  std::vector<ParseJob> jobs;
  for (const CompileUnit& unit : binary.units) {
    if (unit.name.empty() || is_system_file(unit.name)) continue;
    ParseJob job;
    job.file = normalized(unit.name, unit.comp_dir);
    job.directory = unit.comp_dir;
    job.arguments = parser_arguments(split_command(unit.producer));
    const bool has_standard = std::any_of(job.arguments.begin(), job.arguments.end(),
                                          [](const std::string& word) { return word.starts_with("-std="); });
    if (!has_standard && !job.file.ends_with(".c")) job.arguments.push_back("-std=gnu++20");
    std::set<std::string> folders;
    for (const SourceFile& file : unit.files) {
      if (is_system_file(file.path)) continue;
      std::filesystem::path folder = std::filesystem::path(file.path).parent_path();
      folders.insert(folder.string());
      folders.insert(folder.parent_path().string());
    }
    for (const std::string& folder : folders)
      job.arguments.push_back((hides_the_library(folder) ? "-idirafter" : "-I") + folder);
    jobs.push_back(std::move(job));
  }
  return jobs;
}

} // namespace

std::vector<ParseJob> choose_units(const ImpactRequest& request, const std::optional<BinaryInfo>& binary,
                                   const std::string& root, std::vector<std::string>& notes) {
  const std::string path = find_database(request, binary, root);
  if (path.empty() && binary && !binary->units.empty()) {
    notes.push_back(
        "no compile_commands.json: the sources are parsed with what the binary's debug information says, "
        "without the macros and include paths of the build");
    return units_of_binary(*binary);
  }
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
    if (!unit.name.empty() && !is_system_file(unit.name)) built.insert(normalized(unit.name, unit.comp_dir));
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
    // The line table also has the includes that the scanner cannot find because a macro names them.
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
