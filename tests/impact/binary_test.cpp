// What the test binary contributes to the impact: the units from which it was built, with and without a
// compile_commands.json, and whether it is stale.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "impact/sources/assertions.h"
#include "tests/impact/compiled_sample.h"
#include "tests/impact/scratch_project.h"

namespace reex::test {
namespace {

const char* const k_before = "struct S { int a = 0; int b = 0; void f() { a = 1; } };\n"
                             "int main() { S s; s.f(); return s.b; }\n";
const char* const k_after = "struct S { int a = 0; int b = 0; void f() { a = 2; } };\n"
                            "int main() { S s; s.f(); return s.b; }\n";

bool has_note(const Impact& impact, const std::string& part) {
  return std::any_of(impact.notes.begin(), impact.notes.end(),
                     [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

class WithBinary : public ::testing::Test {
protected:
  void SetUp() override {
    m_repository.commit({{"a.cpp", k_before}});
    m_repository.commit({{"a.cpp", k_after}});
    m_project.write("a.cpp", k_after);
    m_request.repository = m_project.root();
    m_request.base = "HEAD~1";
    m_request.binary = m_project.path("program");
  }
  void build(const std::string& compiler) {
    output_of("cd " + m_project.root() + " && " + compiler + " a.cpp -o program 2>&1");
  }
  Impact collect() { return collect_impact(m_request, m_repository); }

  ScratchProject m_project;
  FakeRepository m_repository{m_project.root()};
  ImpactRequest m_request;
};

TEST_F(WithBinary, DebugInformationReplacesCompileCommands) {
  for (const char* compiler : {"g++ -std=c++17 -g", "clang++ -g"}) {
    build(compiler);
    const Impact impact = collect();
    EXPECT_TRUE(has_field(impact, "S", "a")) << compiler << "\n" << listing(impact);
    EXPECT_TRUE(has_method(impact, "S", "f")) << compiler << "\n" << listing(impact);
    EXPECT_TRUE(has_note(impact, "compile_commands.json")) << listing(impact);
    EXPECT_FALSE(impact.stale);
  }
}

// The project's own string.h is included by its folder, and <string.h> is the library's.
TEST_F(WithBinary, HeadersNamedAsTheLibrarysDoNotHideThem) {
  const std::string includes = "#include <string.h>\n#include <lib/string.h>\n";
  const std::string own = "#pragma once\nstruct Text { int size = strlen(\"text\"); };\n";
  const std::string before = includes + replaced(k_before, "int b = 0;", "int b = Text().size;");
  const std::string after = includes + replaced(k_after, "int b = 0;", "int b = Text().size;");
  m_repository.commit({{"a.cpp", before}, {"lib/string.h", own}});
  m_repository.commit({{"a.cpp", after}, {"lib/string.h", own}});
  m_project.write("a.cpp", after);
  m_project.write("lib/string.h", own);
  build("g++ -g -I.");
  const Impact impact = collect();
  EXPECT_TRUE(has_field(impact, "S", "a")) << listing(impact);
  EXPECT_FALSE(has_note(impact, "does not parse")) << listing(impact);
}

TEST_F(WithBinary, FilesOfOtherProgramsAreNamedTogether) {
  m_project.write_compile_commands({"a.cpp", "b.cpp", "c.cpp"});
  const std::string other = "int other() { return 0; }\n";
  const FakeRepository::Tree old = {{"a.cpp", k_before}, {"b.cpp", other}, {"c.cpp", other}};
  const auto notes_after = [&](const std::vector<std::string>& changed) {
    m_repository.commit(old);
    FakeRepository::Tree now = old;
    for (const std::string& name : changed) now[name] = name == "a.cpp" ? k_after : replaced(other, "0", "1");
    m_repository.commit(now);
    for (const auto& [name, text] : now) m_project.write(name, text);
    build("g++ -g");
    return collect().notes;
  };
  using Notes = std::vector<std::string>;
  EXPECT_EQ(notes_after({"a.cpp", "b.cpp"}), Notes{"b.cpp is not part of program"});
  EXPECT_EQ(notes_after({"a.cpp", "b.cpp", "c.cpp"}),
            Notes{"2 changed files are not part of program: b.cpp and c.cpp"});
  EXPECT_EQ(notes_after({"b.cpp"}), Notes{"none of the changed files is part of program"});
}

// Then there is no code point, and this is the reason.
TEST_F(WithBinary, WhatIsRemovedOfOtherProgramsIsNoEmptyChange) {
  m_project.write_compile_commands({"a.cpp", "b.cpp"});
  const std::string other = "int other() {\n  int zero = 0;\n  return 0;\n}\n";
  m_repository.commit({{"a.cpp", k_before}, {"b.cpp", other}});
  const FakeRepository::Tree now = {{"a.cpp", k_before}, {"b.cpp", replaced(other, "  int zero = 0;\n", "")}};
  m_repository.commit(now);
  for (const auto& [name, text] : now) m_project.write(name, text);
  build("g++ -g");
  const Impact impact = collect();
  EXPECT_TRUE(impact.no_points);
  EXPECT_EQ(impact.notes, std::vector<std::string>{"none of the changed files is part of program"});
}

// No line table and no declaration in the debug information names a header of constants.
TEST_F(WithBinary, AHeaderOfConstantsIsPartOfIt) {
  m_project.write_compile_commands({"a.cpp"});
  const std::string before = "#pragma once\nconstexpr int k_step = 1;\n";
  const std::string after = replaced(before, "= 1", "= 2");
  const std::string program = "#include \"a.h\"\nint g;\nint main() {\n  g += k_step;\n  return 0;\n}\n";
  m_repository.commit({{"a.h", before}, {"a.cpp", program}});
  m_repository.commit({{"a.h", after}, {"a.cpp", program}});
  m_project.write("a.h", after);
  m_project.write("a.cpp", program);
  build("g++ -g -O1");
  const Impact impact = collect();
  EXPECT_TRUE(has_line(impact, "a.cpp", line_of(program, "k_step"))) << listing(impact);
  EXPECT_FALSE(has_note(impact, "part of")) << listing(impact);
}

// A project that has its code in a shared library, and a test that needs it through another one.
TEST_F(WithBinary, LibrariesOfTheUserArePartOfIt) {
  const std::string library =
      "struct S { int a = 0; void f() { a = 1; } };\nint run() { S s; s.f(); return s.a; }\n";
  const std::string after = replaced(library, "a = 1", "a = 2");
  m_repository.commit({{"a.cpp", library}});
  m_repository.commit({{"a.cpp", after}});
  m_project.write("main.cpp", "int between();\nint main() { return between(); }\n");
  m_project.write("between.cpp", "int run();\nint between() { return run(); }\n");
  m_project.write_compile_commands({"a.cpp", "between.cpp", "main.cpp"});
  for (const char* tags : {"-Wl,--enable-new-dtags", "-Wl,--disable-new-dtags"}) {
    m_project.write("a.cpp", after);
    const std::string link = " -g -L. -Wl,-rpath,'$ORIGIN' " + std::string(tags);
    output_of("cd " + m_project.root() + " && clang++ a.cpp -shared -fPIC -o liba.so" + link +
              " && clang++ between.cpp -shared -fPIC -o libbetween.so -la" + link +
              " && clang++ main.cpp -o program -lbetween" + link + " 2>&1");
    const Impact impact = collect();
    EXPECT_TRUE(has_field(impact, "S", "a")) << listing(impact);
    EXPECT_EQ(impact.notes, std::vector<std::string>{});
    EXPECT_FALSE(impact.stale);

    const std::string later = replaced(library, "a = 1", "a = 3");
    m_repository.commit({{"a.cpp", later}});
    m_project.write("a.cpp", later);
    std::filesystem::last_write_time(m_project.path("a.cpp"),
                                     std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
    EXPECT_TRUE(has_note(collect(), "a.cpp was written after liba.so was built"));
    m_repository.commit({{"a.cpp", library}});
    m_repository.commit({{"a.cpp", after}});
  }
}

TEST_F(WithBinary, KnowsAssertionsThatWereCompiledOut) {
  const std::string source = m_project.path("a.cpp");
  m_project.write("a.cpp", "#include <cassert>\nint main(int n, char**) { assert(n == 1); }\n");
  const auto compiled_out = [this](const std::string& compiler) {
    build(compiler);
    return impact::compiled_out_assertions(read_binary_info(m_project.path("program")));
  };
  for (const std::string compiler : {"g++ -g", "clang++ -g -O2", "g++ -g -s"}) {
    EXPECT_EQ(compiled_out(compiler), "") << compiler;
    const bool is_stripped = compiler.ends_with(" -s"); // its sources are not known
    EXPECT_EQ(compiled_out(compiler + " -DNDEBUG"), is_stripped ? "" : source) << compiler;
  }
  m_project.write("a.cpp", "int main(int n, char**) { return n - 1; }\n");
  EXPECT_EQ(compiled_out("g++ -g"), "");
}

TEST_F(WithBinary, ChecksumProvesStalenessTimeOnlyWarns) {
  // clang writes checksums only if every file of the unit has one, as in a unit of one plain file.
  const std::string before = "int g;\nint main() { return g++; }\n";
  const std::string after = "int g;\nint main() { return ++g; }\n";
  m_repository.commit({{"a.cpp", before}});
  m_repository.commit({{"a.cpp", after}});
  m_project.write_compile_commands({"a.cpp"});
  for (const char* compiler : {"clang++ -g -gdwarf-5", "g++ -g"}) {
    m_project.write("a.cpp", before);
    build(compiler);
    m_project.write("a.cpp", after);
    std::filesystem::last_write_time(m_project.path("a.cpp"),
                                     std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
    const Impact impact = collect();
    const bool clang = std::string(compiler).starts_with("clang");
    EXPECT_EQ(impact.stale, clang) << listing(impact);
    EXPECT_TRUE(has_note(impact, clang ? "rebuild it" : "was written after")) << listing(impact);
  }
}

TEST_F(WithBinary, NotABinary) {
  m_project.write_compile_commands({"a.cpp"});
  m_project.write("program", "#!/bin/sh\n");
  const Impact impact = collect();
  EXPECT_TRUE(has_field(impact, "S", "a")) << listing(impact);
  EXPECT_TRUE(has_note(impact, "is not an ELF file")) << listing(impact);
}

TEST_F(WithBinary, DiffAsTextNeedsNoBase) {
  m_project.write_compile_commands({"a.cpp"});
  m_request.base.clear();
  m_request.binary.reset();
  m_request.diff_text = m_repository.diff_commits("HEAD~1", "HEAD")[0].hunks.empty()
                            ? ""
                            : "--- a/a.cpp\n+++ b/a.cpp\n@@ -1 +1 @@\n-" +
                                  std::string(k_before).substr(0, 56) + "+" +
                                  std::string(k_after).substr(0, 56);
  const Impact impact = collect_impact(m_request);
  EXPECT_TRUE(has_field(impact, "S", "a")) << listing(impact);
  EXPECT_EQ(impact.base, "");
}

TEST_F(WithBinary, DiffThatDoesNotFitTheDiskIsRefused) {
  m_project.write_compile_commands({"a.cpp"});
  m_request.base.clear();
  m_request.binary.reset();
  m_request.diff_text = "--- a/a.cpp\n+++ b/a.cpp\n@@ -1 +1 @@\n-old\n+what is not there\n";
  EXPECT_THROW(collect_impact(m_request), RepositoryError);
  m_request.diff_text = "--- a/b.cpp\n+++ b/b.cpp\n@@ -1 +1 @@\n-old\n+new\n";
  EXPECT_THROW(collect_impact(m_request), RepositoryError);
}

} // namespace
} // namespace reex::test
