// Code inside an instrumented module that was compiled without the hooks.
#include <gtest/gtest.h>

#include <algorithm>

#include "reex/symbols/unhooked_code.h"
#include "tests/symbols/compiled.h"

namespace reex::test {
namespace {

const char* const k_caller = "int use(int*);\nint shared;\nint call() { return use(&shared) + ++shared; }\n";
const char* const k_touches = "int count;\nint use(int* value) { return *value + ++count; }\n";
const char* const k_atomic = "int count;\nint use(int*) { return __atomic_add_fetch(&count, 1, 5); }\n";
const char* const k_computes = "int use(int* value) { return value == nullptr ? 3 : 4; }\n";

// A library of an instrumented file and another one, compiled so.
std::vector<std::string> found(const std::string& compiler, const std::string& options, const char* other,
                               const std::string& other_options) {
  const Compiled object(compiler + " -fPIC -c " + options + " " + other_options, other);
  const Compiled library(compiler + " -fPIC -shared -fsanitize=thread " + options, k_caller, object.binary());
  EXPECT_TRUE(object.ok() && library.ok()) << compiler << options << other;
  return code_without_hooks(library.binary(), 10).value().plain;
}

TEST(PlainCode, NamesTheFileOrTheFunction) {
  for (const char* compiler : {"g++", "clang++"})
    for (const char* level : {"-O0", "-O1", "-O2"})
      for (const char* text : {k_touches, k_atomic}) {
        const auto with = found(compiler, std::string(level) + " -g", text, "");
        ASSERT_EQ(with.size(), 1U) << compiler << level << text;
        EXPECT_TRUE(with[0].ends_with("/program.cpp")) << with[0];
        EXPECT_EQ(found(compiler, level, text, ""), std::vector<std::string>{"use(int*)"})
            << compiler << level << text;
      }
}

TEST(PlainCode, InstrumentedFilesAndPureFunctionsAreNone) {
  for (const char* compiler : {"g++", "clang++"})
    for (const char* options : {"-O0", "-O2", "-O0 -g", "-O2 -g"}) {
      for (const char* text : {k_touches, k_atomic})
        EXPECT_TRUE(found(compiler, options, text, "-fsanitize=thread").empty())
            << compiler << options << text;
      EXPECT_TRUE(found(compiler, options, k_computes, "").empty()) << compiler << options;
    }
}

// What a library with a file of assembly has.
UnhookedCode with_assembly(const std::string& body, const std::string& name = "use_",
                           const std::string& options = "-g") {
  const std::string text = ".text\n.globl " + name + "\n.type " + name + ",@function\n" + name + ":\n" +
                           body + ".size " + name + ",.-" + name + "\n.section .note.GNU-stack,\"\"\n";
  const Compiled object("g++ " + options + " -c -x assembler", text);
  const Compiled library("g++ -fPIC -shared -g -fsanitize=thread -x c++", k_touches,
                         "-x none " + object.binary());
  EXPECT_TRUE(object.ok() && library.ok()) << body;
  return code_without_hooks(library.binary(), 10).value();
}

// clang makes a table of the addresses of these texts, which no hook is called for. Where the texts lie
// decides about bytes of the code: some look like an access.
TEST(PlainCode, BytesOfAConstantAreNoAccess) {
  const std::string text =
      "const char* name(int value) {\n  switch (value) {\n  case 0: return \"zero\";\n"
      "  case 1: return \"one\";\n  case 2: return \"two\";\n  case 3: return \"three\";\n"
      "  default: return \"many\";\n  }\n}\n";
  const std::string caller =
      "int shared;\nextern \"C\" const char* next_() { return &\"text\"[++shared]; }\n";
  for (const char* body :
       {"lea 0x22b(%rip),%rax\nret\n", "mov $0x28b,%eax\nret\n", "movabs $0x28b0f,%rax\nret\n"})
    for (const char* options : {"-g", ""})
      EXPECT_TRUE(with_assembly(body, "use_", options).plain.empty()) << body;
  const Compiled object("clang++ -O1 -g -fPIC -fsanitize=thread -c", text);
  const Compiled library("g++ -fPIC -shared -g -fsanitize=thread", caller, object.binary());
  ASSERT_TRUE(object.ok() && library.ok());
  EXPECT_TRUE(code_without_hooks(library.binary(), 10).value().plain.empty());
}

TEST(PlainCode, AssemblyThatOnlySwitchesStacksDoesNotCount) {
  const std::string saves = "mov %rbx,(%rdi)\nmov %rsp,8(%rdi)\nmov (%rsi),%rbx\n";
  const std::string switches = saves + "mov 8(%rsi),%rsp\n";
  for (const char* end : {"ret\n", "mov 16(%rsi),%rcx\njmp *%rcx\n"}) {
    EXPECT_TRUE(with_assembly(switches + end).plain.empty()) << end;
    EXPECT_TRUE(with_assembly(switches + end, "use_", "").plain.empty()) << end;
  }
  for (const std::string& other :
       {saves + "ret\n", switches + "lock incl (%rdi)\nret\n", switches + "xchg %eax,(%rdi)\nret\n",
        switches + "call abort@PLT\nret\n", switches + "syscall\nret\n", switches + "mfence\nret\n",
        switches + "1: cmpl $0,(%rdi)\nje 1b\nret\n"}) {
    EXPECT_EQ(with_assembly(other).plain.size(), 1u) << other;
    EXPECT_EQ(with_assembly(other, "use_", "").plain.size(), 1u) << other;
  }
}

TEST(PlainCode, AFrameOfItsOwnIsNoSwitch) {
  const std::string leaves = "push %rbp\nmov %rsp,%rbp\nmovl $1,(%rdi)\nmov %rbp,%rsp\npop %rbp\nret\n";
  EXPECT_EQ(with_assembly(leaves).plain.size(), 1u);
  EXPECT_EQ(with_assembly(leaves, "use_", "").plain.size(), 1u);
}

TEST(PlainCode, WhatMakesAContextSwitchesStacksToo) {
  const std::string makes = "mov %rdi,%rax\nmov %rdx,-8(%rax)\nret\ncall _exit@PLT\nhlt\n";
  EXPECT_TRUE(with_assembly(makes, "make_fcontext").plain.empty());
  EXPECT_TRUE(with_assembly(makes, "make_fcontext", "").plain.empty());
  EXPECT_EQ(with_assembly(makes, "make_others").plain.size(), 1u);
  EXPECT_EQ(
      with_assembly(
          makes + ".globl more\n.type more,@function\nmore:\nlock incl (%rdi)\nret\n.size more,.-more\n",
          "make_fcontext")
          .plain.size(),
      1u);
}

TEST(PlainCode, AStaticLibraryOfTheLanguageIsNamedOnce) {
  const std::string text =
      "#include <fstream>\n#include <future>\n#include <thread>\n"
      "int main() {\n  std::promise<int> promise;\n"
      "  std::thread other([&] { promise.set_value(std::ofstream(\"/dev/null\").good()); });\n"
      "  other.join();\n  return promise.get_future().get() - 1;\n}\n";
  for (const char* options : {"-O0", "-O2 -g"}) {
    for (const char* linked : {"", "-static-libstdc++", "-static-libstdc++ -static-libgcc"}) {
      const Compiled program("g++ -fsanitize=thread " + std::string(options), text, linked);
      ASSERT_TRUE(program.ok()) << options << linked;
      const UnhookedCode found = code_without_hooks(program.binary(), 10).value();
      EXPECT_EQ(found.plain, std::vector<std::string>(*linked == 0 ? 0 : 1, k_static_library))
          << options << linked;
      EXPECT_TRUE(found.atomics.empty()) << options << linked << found.atomics.front();
    }
  }
}

TEST(PlainCode, KeepsToTheLimit) {
  const Compiled object("g++ -fPIC -c", "int a, b, c;\nint f() { return ++a; }\nint g() { return ++b; }\n");
  const Compiled library("g++ -fPIC -shared -fsanitize=thread", k_touches, object.binary());
  ASSERT_TRUE(object.ok() && library.ok());
  EXPECT_EQ(code_without_hooks(library.binary(), 10).value().plain, (std::vector<std::string>{"f()", "g()"}));
  EXPECT_EQ(code_without_hooks(library.binary(), 1).value().plain.size(), 1U);
  EXPECT_FALSE(code_without_hooks("/nonexistent", 1));
  EXPECT_FALSE(code_without_hooks(library.source(), 1)) << "not an ELF file";
}

} // namespace
} // namespace reex::test
