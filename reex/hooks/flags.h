// Where the files of a reex stand that belong to its executable, and what to give a compiler so that it makes
// a program reex can control. Called by the command line in the parent process; reads the file system, keeps
// nothing.
//
// Two layouts are known: the build tree (<build>/cli/reex, <build>/reex/...) and the installed one
// (<prefix>/bin/reex, <prefix>/<libdir>/reex/...). Both may be moved as a whole.
#pragma once

#include <filesystem>
#include <string>

namespace reex {

struct Layout {
  std::filesystem::path runtime; // libreex_rt.so, preloaded into tests
  std::filesystem::path hooks;   // libreex_hooks.so, linked by instrumented programs
  std::filesystem::path libtsan; // the directory where our library is called libtsan.so.2
  std::filesystem::path specs;   // instrument.specs, for g++
};

// `reex_executable` is the running program, as /proc/self/exe gives it. The paths are absolute; whether they
// exist is for the caller to check.
Layout layout(const std::filesystem::path& reex_executable);

// The flags for `reex flags --compile` (compile) and `reex flags --link`, separated by spaces: the same text
// for g++ and clang++, for one command and for two. A shell splits the text at spaces, so a path that has one
// is refused with std::runtime_error; the CMake target serves there.
std::string instrument_flags(const std::filesystem::path& reex_executable, bool compile);

// libreex_rt.so beside the executable. Throws std::runtime_error, naming the path, if it is not there.
std::filesystem::path runtime_library(const std::filesystem::path& reex_executable);

// The directory to put first into LD_LIBRARY_PATH for a test that was linked with g++'s own libtsan.
std::filesystem::path libtsan_directory(const std::filesystem::path& reex_executable);

} // namespace reex
