// What is found in text without a parse: comments, includes, command lines.
#include <gtest/gtest.h>

#include "impact/clang/lock_names.h"
#include "impact/sources/assertions.h"
#include "impact/sources/compile_commands.h"
#include "impact/sources/compiler_options.h"
#include "impact/sources/gcc_version.h"
#include "impact/sources/lexical.h"

namespace reex::test {
namespace {

using namespace impact;

TEST(Lexical, CodeOfLines) {
  struct Row {
    const char* text;
    std::vector<std::string> code;
  };
  const Row rows[] = {
      {"int  x ;  // one\n", {"int x;"}},
      {"/* a\n b */ int y;\n", {"", "int y;"}},
      {"const char* s = \"// no comment\";\n", {"const char*s=\"// no comment\";"}},
      {"char c = '\"'; int z; // \"\n", {"char c='\"';int z;"}},
      {"int n = 1'000; // x\n", {"int n=1'000;"}},
      {"auto r = R\"(a // b\n)\"; // c\n", {"auto r=R\"(a // b", ")\";"}},
      {"a+++b\n\n", {"a+++b", ""}},
  };
  for (const Row& row : rows) EXPECT_EQ(code_of_lines(row.text), row.code) << row.text;
}

TEST(Lexical, CallsOfAssert) {
  const std::string header = "#include <cassert>\n";
  for (const char* text :
       {"assert(x);", "void f() { assert (x > 0); }", "if (x)\n  assert(y);", "!assert(x)"}) {
    EXPECT_TRUE(calls_assert(header + text)) << text;
    EXPECT_TRUE(calls_assert(std::string("#include <assert.h>\n") + text)) << text;
    EXPECT_FALSE(calls_assert(text)) << text; // perhaps a macro of the project
    EXPECT_FALSE(calls_assert(std::string("#include \"assert.h\"\n") + text)) << text;
  }
  for (const char* text :
       {"", "// assert(x);", "static_assert(x);", "ASSERT(x);", "my_assert(x);", "check.assert(x);",
        "check->assert(x);", "check::assert(x);", "assertion();", "int assert;"})
    EXPECT_FALSE(calls_assert(header + text)) << text;
}

TEST(Lexical, Words) {
  EXPECT_TRUE(has_word("int count;", "count"));
  EXPECT_FALSE(has_word("int m_count;", "count"));
  EXPECT_TRUE(has_word("counter, count", "count"));
  EXPECT_FALSE(has_word("counts", "count"));
}

TEST(Lexical, IncludesAndMacros) {
  const std::vector<Include> includes =
      includes_of("#include <vector>\n  # include \"a/b.h\" // x\n#include NAME\n");
  ASSERT_EQ(includes.size(), 2U);
  EXPECT_EQ(includes[1].name, "a/b.h");
  EXPECT_TRUE(includes[1].quoted);
  EXPECT_EQ(defined_macro("#define LOCK(m) m.lock()"), "LOCK");
  EXPECT_EQ(defined_macro("int define;"), "");
}

TEST(Lexical, CommandsAreSplitLikeAShellDoes) {
  EXPECT_EQ(split_command(R"(g++ -DA="b c" 'd e' f\ g "")"),
            (std::vector<std::string>{"g++", "-DA=b c", "d e", "f g", ""}));
}

TEST(Lexical, OnlyWhatAParserNeedsIsKept) {
  const std::vector<std::string> command =
      split_command("g++ -std=c++20 -Ione -isystem two -DX=1 -Wall -Wodd -fsanitize=thread -fno-odd -MD -MF "
                    "x.d -o x.o -c x.cpp -O2");
  EXPECT_EQ(parser_arguments(command),
            (std::vector<std::string>{"-std=c++20", "-Ione", "-isystem", "two", "-DX=1",
                                      "-D__SANITIZE_THREAD__=1", "-O2", "-fgnuc-version=10.5.0"}));
}

TEST(Lexical, WhatChangesTheMeaningOfASourceIsKept) {
  const std::vector<std::string> kept = {"-mcx16",         "-mbmi2",      "-maes", "-fno-access-control",
                                         "-ffreestanding", "-fno-char8_t"};
  std::vector<std::string> command = {"clang++", "-mtune=native", "-mno-avx256-split-unaligned-load",
                                      "-fno-odd"};
  command.insert(command.end() - 1, kept.begin(), kept.end());
  EXPECT_EQ(parser_arguments(command), kept);
}

TEST(Lexical, AParserIsTheGccOfTheCommand) {
  const auto claimed = [](const char* command) { return claimed_gcc_version(split_command(command)); };
  EXPECT_EQ(claimed("x86_64-linux-gnu-g++-9 -c a.cpp"), "9.1.0");
  EXPECT_EQ(claimed("/no/such/g++-14 -c a.cpp"), "10.5.0"); // what clang can be
  EXPECT_EQ(claimed("ccache /no/such/g++-7 -c a.cpp"), "7.1.0");
  EXPECT_EQ(claimed("gcc-5 -c a.c"), "5.1.0");
  EXPECT_EQ(claimed("gcc-12 -c a.c"), "6.5.0");
  EXPECT_EQ(claimed("clang++ -c a.cpp"), "");
  EXPECT_EQ(claimed("/usr/bin/clang++-14 -c a.cpp"), "");
  EXPECT_EQ(claimed("/no/such/c++ -c a.cpp"), "");
  EXPECT_EQ(claimed("GNU C++17 12.2.0 -mtune=generic -g"), "10.5.0");
  EXPECT_EQ(claimed("GNU C11 8.3.0 -mtune=generic -g"), "6.5.0");
  EXPECT_EQ(claimed("Debian clang version 14.0.6"), "");
}

TEST(Lexical, CompilerOptionsInBuildFiles) {
  const auto file_of = [](const char* path, const char* line) {
    FileChange change;
    change.old_path = change.new_path = path;
    change.hunks = {{1, 0, 2, 1, {}, {line}}};
    return file_of_compiler_options({change});
  };
  for (const auto& [path, line] : std::vector<std::pair<const char*, const char*>>{
           {"lib/CMakeLists.txt", "target_compile_definitions(test PRIVATE NOLOCK)"},
           {"CMakeLists.txt", "set(CMAKE_CXX_FLAGS_RELEASE -O3)"},
           {"CMakeLists.txt", "set(CMAKE_CXX_STANDARD 20)"},
           {"cmake/options.cmake", "add_compile_options(-fno-exceptions)"},
           {"Makefile", "\tg++ -DNOLOCK -c a.cpp"},
           {"meson.build", "  cpp_args : ['-DNOLOCK'],"},
           {"src/BUILD", "    copts = [\"-O3\"],"}})
    EXPECT_EQ(file_of(path, line), path) << line;
  for (const auto& [path, line] : std::vector<std::pair<const char*, const char*>>{
           {"CMakeLists.txt", "add_executable(test a.cpp b.cpp)"},
           {"CMakeLists.txt", "target_link_libraries(test PRIVATE Threads::Threads)"},
           {"src/BUILD", "    deps = [\":queue\"],"},
           {"CMakeLists.txt", "add_library(standard flags.cpp features.cpp)"},
           {"flags.cpp", "int flags;"},
           {"README.md", "CXXFLAGS=-O3"}})
    EXPECT_EQ(file_of(path, line), "") << line;
}

TEST(Lexical, LockNames) {
  for (const char* type : {"std::lock_guard<std::mutex>", "std::scoped_lock<>", "const std::unique_lock<T>",
                           "boost::shared_lock<M>", "absl::MutexLock", "lock_guard<std::mutex>"}) {
    EXPECT_TRUE(is_lock_guard(type)) << type;
  }
  for (const char* type : {"std::mutex", "Padlock_guard", "std::vector<std::lock_guard<std::mutex>>"}) {
    EXPECT_FALSE(is_lock_guard(type)) << type;
  }
  EXPECT_EQ(lock_call_of("pthread_mutex_lock"), LockCall::lock);
  EXPECT_EQ(lock_call_of("unlock_shared"), LockCall::unlock);
  EXPECT_EQ(lock_call_of("block"), LockCall::none);
}

} // namespace
} // namespace reex::test
