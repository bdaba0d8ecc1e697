// Where the files are that belong to a reex executable, and which flags make a compiler build a program that
// reex can control.
//
// Callers: the command line, in the parent process. The functions read the file system and store nothing.
//
// Two layouts are known: the build tree (<build>/cli/reex, <build>/reex/...) and the installed one
// (<prefix>/bin/reex, <prefix>/<libdir>/reex/...). Both may be moved as a whole.
#pragma once

#include <filesystem>
#include <string>

namespace reex {

struct Layout {
  std::filesystem::path runtime;   // libreex_rt.so, which is preloaded into tests
  std::filesystem::path hooks;     // libreex_hooks.so, which instrumented programs are linked with
  std::filesystem::path libtsan;   // the directory in which our library has the name libtsan.so.2
  std::filesystem::path specs;     // instrument.specs, for g++
  std::filesystem::path assembler; // the directory of the assembler that g++ calls
  std::filesystem::path log;       // libreex_log.so, which is preloaded into native runs that are logged
};

// `reex_executable` is the running program, as /proc/self/exe names it. The paths are absolute. The caller
// checks whether they exist.
Layout layout(const std::filesystem::path& reex_executable);

// The flags for `reex flags --compile` (compile) and `reex flags --link`, separated by spaces. The text is
// the same for g++ and clang++, and for one command and two. A shell splits the text at spaces, so a path
// that contains one is refused with std::runtime_error; then the CMake target can be used.
std::string instrument_flags(const std::filesystem::path& reex_executable, bool compile);

// libreex_rt.so next to the executable. Throws std::runtime_error, with the path, if it does not exist.
std::filesystem::path runtime_library(const std::filesystem::path& reex_executable);

// The directory that must come first in LD_LIBRARY_PATH for a test that was linked with g++'s own libtsan.
std::filesystem::path libtsan_directory(const std::filesystem::path& reex_executable);

} // namespace reex
