// What the module libreex_clang.so gives: everything that needs libclang. The module is loaded when a unit is
// parsed, because libclang and LLVM take longer to start than a small test.
#pragma once

#include <string>

#include "impact/facts/parse.h"
#include "impact/facts/statements.h"

namespace reex::impact {

struct ClangLibrary {
  UnitFacts (*parse_unit)(const ParseJob& job, const Overlays& overlays);
  std::map<std::string, SourceShape> (*parse_statements)(const ParseJob& job,
                                                         const std::vector<std::string>& files,
                                                         std::string& problem);
  bool (*precompile)(const ParseJob& job, bool is_c, const std::string& text, const std::string& into,
                     std::vector<std::string>& read);
  std::string (*version)();
  std::string (*resource_folder)();
};

// Defined in the module; parse.h and statements.h say what they do.
UnitFacts parse_with_libclang(const ParseJob& job, const Overlays& overlays);
std::map<std::string, SourceShape>
statements_with_libclang(const ParseJob& job, const std::vector<std::string>& files, std::string& problem);
bool precompile_with_libclang(const ParseJob& job, bool is_c, const std::string& text,
                              const std::string& into, std::vector<std::string>& read);
std::string libclang_version();
std::string resource_folder();

} // namespace reex::impact
