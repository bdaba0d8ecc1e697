// What a test binary is, and which sources it was built from. This is read from its ELF and DWARF data; the
// binary is not executed.
//
// Thread safety: any thread may call the functions. Those that were read are kept, behind a mutex.
//
// Cost: reads the symbol tables and the heads of the compile units: milliseconds for a test of a few
// megabytes, and a tenth of a second for one of seventy. A project may name a binary in many tests: the
// second time, only its files are asked for.
//
// Errors: nothing throws. BinaryInfo::error says why a file cannot be read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reex/frameworks/framework.h"

namespace reex {

struct SourceFile {
  std::string path; // absolute, normalized
  std::string md5;  // 32 hexadecimal digits; "" if the compiler wrote none (g++ 12 writes none)
};

struct CompileUnit {
  std::string module; // absolute path of the program or the library that holds it
  std::string name;   // absolute path of the main source file; "": the .dwo file that names it was not found
  std::string comp_dir;
  std::string producer;          // "GNU C++17 12.2.0 ..." or "Debian clang version 14.0.6"
  unsigned dwarf = 0;            // version of its DWARF data
  bool split = false;            // a .dwo file has the rest
  std::vector<SourceFile> files; // the files of its line table
};

struct BinaryInfo {
  std::string path;     // absolute
  std::string error;    // why nothing else is known ("not an ELF file"); "" if the file was read
  std::string build_id; // hexadecimal, "" if none
  bool x86_64 = false;
  bool executable = false; // a program and not a library: ET_EXEC or a position-independent executable
  bool is_static = false;  // it names no dynamic loader
  std::string loader;      // the dynamic loader that it names; "" if none
  bool go = false;         // built by the Go tool chain
  bool has_debug_info = false;
  Framework framework = Framework::none; // that its tests use (reex/frameworks)
  bool instrumented = false;             // refers to __tsan_* functions: built with -fsanitize=thread
  bool links_tsan = false;               // needs libtsan.so.2
  bool contains_tsan = false;            // contains ThreadSanitizer's runtime, which clang links statically
  bool criterion = false;                // uses Criterion, which runs each test in a program of its own
  bool asan = false;                     // built with -fsanitize=address
  bool asserts = false;                  // contains calls of assert(), which NDEBUG compiles out
  std::vector<CompileUnit> units;        // its own, and those of the user's libraries that it starts with

  // The compile units whose line tables contain the file.
  std::vector<const CompileUnit*> units_of(const std::string& path) const;
};

BinaryInfo read_binary_info(const std::string& path);

// Whether an executable or a library was built with -fsanitize=thread. Only its symbols are examined.
bool is_instrumented(const std::string& path);

// Whether a library belongs to the system and not to the user.
bool is_system_library(const std::string& path);

// The MD5 of a file's bytes as 32 hexadecimal digits; "" if it cannot be read.
std::string md5_of_file(const std::string& path);

} // namespace reex
