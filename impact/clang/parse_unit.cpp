#include "impact/clang/library.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include <dlfcn.h>

#include "impact/clang/clang_names.h"
#include "impact/clang/flows.h"
#include "impact/clang/nodes.h"
#include "impact/clang/shapes.h"
#include "impact/clang/walker.h"
#include "impact/sources/gcc_version.h"
#include "impact/sources/paths.h"

namespace reex::impact {
namespace {

namespace fs = std::filesystem;

using IndexPointer = std::unique_ptr<void, void (*)(CXIndex)>;
using UnitPointer = std::unique_ptr<std::remove_pointer_t<CXTranslationUnit>, void (*)(CXTranslationUnit)>;

std::string find_resource_folder() {
  const std::string version = libclang_version();
  const std::string major = version.substr(0, version.find('.'));
  std::vector<fs::path> roots;
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&clang_createIndex), &info) != 0 && info.dli_fname != nullptr) {
    std::error_code error;
    fs::path folder = fs::canonical(info.dli_fname, error).parent_path();
    for (int i = 0; i < 2 && !folder.empty(); ++i, folder = folder.parent_path()) {
      roots.push_back(folder / "clang");
      roots.push_back(folder / ("llvm-" + major) / "lib" / "clang");
    }
  }
  roots.push_back("/usr/lib/llvm-" + major + "/lib/clang");
  roots.push_back("/usr/lib64/clang");
  roots.push_back("/usr/lib/clang");
  for (const fs::path& root : roots) {
    for (const std::string& name : {version, major}) {
      std::error_code error;
      if (fs::exists(root / name / "include" / "stddef.h", error)) return (root / name).string();
    }
  }
  return "";
}

bool misses_file(CXTranslationUnit unit) {
  for (unsigned i = 0; i < clang_getNumDiagnostics(unit); ++i) {
    const CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
    const bool is_error = clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error;
    const std::string words = is_error ? text_of(clang_getDiagnosticSpelling(diagnostic)) : "";
    clang_disposeDiagnostic(diagnostic);
    if (words.find("file not found") != std::string::npos || words.starts_with("cannot open")) return true;
  }
  return false;
}

void read_facts(CXTranslationUnit unit, const ParseJob& job, UnitFacts& facts) {
  if (unit == nullptr) {
    facts.problem = "clang could not parse it";
    return;
  }
  facts.parsed = true;
  facts.problem = first_error(unit);
  facts.misses_file = misses_file(unit);
  UserFiles files(unit, job.directory);
  Walker walker(files, facts.files);
  for (const CXCursor child : children_of(clang_getTranslationUnitCursor(unit))) {
    walker.declaration(child);
    collect_shapes(child, files, facts.files);
    collect_flows(child, files, facts.files);
  }
  collect_nodes(clang_getTranslationUnitCursor(unit), files, facts.files);
  std::pair<UserFiles*, std::vector<CXFile>> inclusions{&files, {}};
  clang_getInclusions(
      unit,
      [](CXFile file, CXSourceLocation*, unsigned, CXClientData data) {
        auto& [paths, read] = *static_cast<std::pair<UserFiles*, std::vector<CXFile>>*>(data);
        paths->path(file);
        read.push_back(file);
      },
      &inclusions);
  for (CXFile file : inclusions.second)
    facts.read.push_back(normalized(text_of(clang_getFileName(file)), job.directory));
  facts.included = files.paths();
}

} // namespace

std::string first_error(CXTranslationUnit unit) {
  for (unsigned i = 0; i < clang_getNumDiagnostics(unit); ++i) {
    const CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
    std::string words;
    if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
      words = text_of(clang_formatDiagnostic(diagnostic, CXDiagnostic_DisplaySourceLocation));
    }
    clang_disposeDiagnostic(diagnostic);
    if (!words.empty()) return words;
  }
  return "";
}

// "Debian clang version 14.0.6" -> "14.0.6"
std::string libclang_version() {
  const std::string words = text_of(clang_getClangVersion());
  const std::size_t at = words.find("version ");
  if (at == std::string::npos) return "";
  const std::size_t begin = at + 8;
  return words.substr(begin, words.find_first_not_of("0123456789.", begin) - begin);
}

std::string resource_folder() {
  static const std::string folder = find_resource_folder();
  return folder;
}

namespace {

// With an error, if the parser does not know what the headers expect of the GCC that it claims to be.
bool is_refused(CXTranslationUnit unit) {
  return unit == nullptr || (!first_error(unit).empty() && !misses_file(unit));
}

UnitPointer parse(CXIndex index, const ParseJob& job, const Overlays& overlays, unsigned flags,
                  bool claims_gcc) {
  std::vector<std::string> arguments = job.arguments;
  if (!claims_gcc) std::erase_if(arguments, claims_gcc_version);
  // Not -working-directory: with it, clang would change the working folder of the whole process.
  arguments.push_back("-w");
  if (!resource_folder().empty()) arguments.push_back("-resource-dir=" + resource_folder());
  std::vector<const char*> raw_arguments;
  for (const std::string& argument : arguments) raw_arguments.push_back(argument.c_str());
  std::vector<CXUnsavedFile> unsaved;
  for (const auto& [path, contents] : overlays) {
    unsaved.push_back({path.c_str(), contents.data(), static_cast<unsigned long>(contents.size())});
  }

  // As an incomplete unit, nothing is instantiated at its end: the facts are of templates as they are
  // written.
  CXTranslationUnit raw = nullptr;
  const CXErrorCode error = clang_parseTranslationUnit2(
      index, job.file.c_str(), raw_arguments.data(), static_cast<int>(raw_arguments.size()), unsaved.data(),
      static_cast<unsigned>(unsaved.size()),
      CXTranslationUnit_KeepGoing | CXTranslationUnit_Incomplete | flags, &raw);
  return {error == CXError_Success ? raw : nullptr, clang_disposeTranslationUnit};
}

} // namespace

void with_unit(const ParseJob& job, const Overlays& overlays,
               const std::function<void(CXTranslationUnit)>& use, unsigned flags) {
  const IndexPointer index(clang_createIndex(0, 0), clang_disposeIndex);
  UnitPointer unit = parse(index.get(), job, overlays, flags, true);
  const bool claims = std::any_of(job.arguments.begin(), job.arguments.end(), claims_gcc_version);
  if (claims && is_refused(unit.get())) {
    UnitPointer other = parse(index.get(), job, overlays, flags, false);
    if (!is_refused(other.get())) unit = std::move(other);
  }
  use(unit.get());
}

UnitFacts parse_with_libclang(const ParseJob& job, const Overlays& overlays) {
  UnitFacts facts;
  facts.main_file = job.file;
  with_unit(job, overlays, [&](CXTranslationUnit unit) { read_facts(unit, job, facts); });
  return facts;
}

} // namespace reex::impact
