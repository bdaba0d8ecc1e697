#include <filesystem>

#include "impact/clang/clang_names.h"
#include "impact/clang/library.h"
#include "impact/sources/paths.h"

namespace reex::impact {

bool precompile_with_libclang(const ParseJob& job, bool is_c, const std::string& text,
                              const std::string& into, std::vector<std::string>& read) {
  ParseJob header = job;
  header.arguments.insert(header.arguments.end(), {"-x", is_c ? "c-header" : "c++-header"});
  bool written = false;
  const auto save = [&](CXTranslationUnit unit) {
    if (unit == nullptr || !first_error(unit).empty()) return;
    std::pair<const ParseJob&, std::vector<std::string>&> found{job, read};
    clang_getInclusions(
        unit,
        [](CXFile file, CXSourceLocation*, unsigned, CXClientData data) {
          auto& [of, files] = *static_cast<std::pair<const ParseJob&, std::vector<std::string>&>*>(data);
          std::string path = normalized(text_of(clang_getFileName(file)), of.directory);
          if (path != of.file) files.push_back(std::move(path));
        },
        &found);
    written = clang_saveTranslationUnit(unit, into.c_str(), CXSaveTranslationUnit_None) == CXSaveError_None;
  };
  with_unit(header, {{job.file, text}}, save,
            CXTranslationUnit_ForSerialization | CXTranslationUnit_SkipFunctionBodies);
  return written;
}

} // namespace reex::impact
