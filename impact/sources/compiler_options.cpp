#include "impact/sources/compiler_options.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace reex::impact {
namespace {

bool is_build_file(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  constexpr std::array<std::string_view, 13> names = {
      "CMakeLists.txt", "CMakePresets.json", "Makefile",    "makefile", "GNUmakefile",
      "Makefile.am",    "configure.ac",      "meson.build", "BUILD",    "BUILD.bazel",
      ".bazelrc",       "SConstruct",        "xmake.lua"};
  constexpr std::array<std::string_view, 5> ends = {".cmake", ".mk", ".bzl", ".pro", ".ninja"};
  return std::find(names.begin(), names.end(), name) != names.end() ||
         std::any_of(ends.begin(), ends.end(), [&](std::string_view end) { return name.ends_with(end); });
}

// -DNAME, CMAKE_CXX_FLAGS, target_compile_definitions, cpp_args, copts, CXX_STANDARD ...
bool gives_options(std::string line) {
  std::transform(line.begin(), line.end(), line.begin(),
                 [](unsigned char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
  constexpr std::array<std::string_view, 14> words = {
      "_flags", "cflags", "cxxflags",  "cppflags",         "definitions", "defines", "compile_options",
      "_args",  "copts",  "_standard", "compile_features", "build_type",  "-std=",   " -d"};
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return line.find(word) != std::string::npos; });
}

} // namespace

std::string file_of_compiler_options(const std::vector<FileChange>& changes) {
  for (const FileChange& change : changes) {
    const std::string& path = change.new_path.empty() ? change.old_path : change.new_path;
    if (!is_build_file(path)) continue;
    for (const Hunk& hunk : change.hunks)
      if (std::any_of(hunk.removed.begin(), hunk.removed.end(), gives_options) ||
          std::any_of(hunk.added.begin(), hunk.added.end(), gives_options))
        return path;
  }
  return "";
}

} // namespace reex::impact
