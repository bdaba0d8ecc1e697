// What a test binary is and what it was built from, read from its ELF and DWARF without running it.
// Cost: the symbol tables and the heads of the compile units; milliseconds for a test of a few megabytes.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace reex {

struct SourceFile {
  std::string path; // absolute, normalized
  std::string md5;  // 32 hexadecimal digits, "" where the compiler wrote none (g++ 12 writes none)
};

struct CompileUnit {
  std::string name; // absolute path of the main source file
  std::string comp_dir;
  std::string producer;          // "GNU C++17 12.2.0 ..." or "Debian clang version 14.0.6"
  std::vector<SourceFile> files; // of its line table
};

struct BinaryInfo {
  std::string path;     // absolute
  std::string error;    // why nothing else is known ("not an ELF file"), "" if read
  std::string build_id; // hexadecimal, "" if none
  bool x86_64 = false;
  bool executable = false; // has an entry point for running: ET_EXEC or a position-independent executable
  bool is_static = false;  // no dynamic loader is asked for
  std::string loader;      // the dynamic loader it asks for, "" if none
  bool go = false;         // made by the Go tool chain
  bool has_debug_info = false;
  bool gtest = false;         // refers to testing::InitGoogleTest or testing::UnitTest
  bool instrumented = false;  // refers to __tsan_* functions: built with -fsanitize=thread
  bool links_tsan = false;    // needs libtsan.so.2
  bool contains_tsan = false; // has a runtime of ThreadSanitizer inside, as clang links it
  bool asan = false;          // built with -fsanitize=address
  std::vector<CompileUnit> units;

  // The compile units whose line tables name the file.
  std::vector<const CompileUnit*> units_of(const std::string& path) const;
};

// Never throws: a file that cannot be read has `error` set.
BinaryInfo read_binary_info(const std::string& path);

// Whether an executable or a library was built with -fsanitize=thread, by its symbols alone.
bool is_instrumented(const std::string& path);

// Whether it is installed with the system and not the user's own.
bool is_system_library(const std::string& path);

// MD5 of a file's bytes as 32 hexadecimal digits; "" if it cannot be read.
std::string md5_of_file(const std::string& path);

} // namespace reex
