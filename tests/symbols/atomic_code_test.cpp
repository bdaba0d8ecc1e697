// Atomic instructions of instrumented code that its compiler did not make.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reex/symbols/unhooked_code.h"
#include "tests/symbols/compiled.h"

namespace reex::test {
namespace {

using Found = std::vector<std::string>;

constexpr const char* k_compilers[] = {"g++", "clang++"};
constexpr const char* k_levels[] = {"-O0", "-O1", "-O2", "-O3"};

// Each line in a function of its own, with a plain access, so that it calls a hook.
std::string functions_with(const std::vector<std::string>& lines) {
  std::string text = "#include <atomic>\n#include <utility>\nint shared;\n";
  for (std::size_t i = 0; i < lines.size(); ++i)
    text += "int f" + std::to_string(i) + "(int* p, int v) { ++shared; " + lines[i] + " return v; }\n";
  return text + "int main() {}\n";
}

Found found(const std::string& compiler, const std::string& options, const std::string& text) {
  const Compiled program(compiler + " -fPIC -shared -fsanitize=thread " + options, text);
  EXPECT_TRUE(program.ok()) << compiler << options << text;
  return code_without_hooks(program.binary(), 20).value().atomics;
}

TEST(AtomicCode, NamesTheLines) {
  std::vector<std::string> lines;
  Found places;
  for (const char* instruction :
       {"lock; xaddl %0, %1", "xchgl %0, %1", "lock; cmpxchgl %0, %1", "lock; addl $1, %1",
        "lock; addl %0, %1", "lock; btsl $3, %1", "lock; decl %1", "lock; orl $-128, %1"}) {
    lines.push_back("asm volatile(\"" + std::string(instruction) +
                    R"-(" : "+r"(v), "+m"(*p) :: "memory");)-");
    places.push_back("program.cpp:" + std::to_string(lines.size() + 3));
  }
  for (const char* compiler : k_compilers)
    for (const char* level : k_levels) {
      const std::string text = functions_with(lines);
      EXPECT_EQ(found(compiler, std::string(level) + " -g", text), places) << compiler << level;
      EXPECT_EQ(found(compiler, level, text).size(), lines.size()) << compiler << level;
      EXPECT_EQ(found(compiler, std::string(level) + " -s", text), Found{"program"}) << compiler << level;
    }
}

// The assembler puts the mark there.
TEST(AtomicCode, NamesAccessesThatHaveAMark) {
  const std::string text =
      functions_with({R"-(asm volatile("movl %1, %0" : "=r"(v) : "m"(*p));)-",
                      R"-(asm volatile("nopl 0x6e657375(%%rax); movl %1, %0" : "=r"(v) : "m"(*p));)-"});
  for (const char* compiler : k_compilers)
    for (const char* level : k_levels)
      EXPECT_EQ(found(compiler, std::string(level) + " -g", text), Found{"program.cpp:5"})
          << compiler << level;
}

TEST(AtomicCode, OperationsThatCallHooksAndFencesAreNone) {
  const std::string text = functions_with({
      "reinterpret_cast<std::atomic<int>*>(p)->fetch_add(v);", "v = __atomic_exchange_n(p, v, 5);",
      "__sync_synchronize();", "__sync_fetch_and_add(p, v);", "std::swap(*p, v);",
      R"-(asm volatile("lock; addl $0, (%%rsp)" ::: "memory", "cc");)-",
      R"-(asm volatile("lock; orq $0, (%%rsp)" ::: "memory", "cc");)-",
      // What has a hook stands behind such an instruction.
      R"-(asm volatile("nopl 0x78656572(%%rax); lock; xaddl %0, %1" : "+r"(v), "+m"(*p) :: "memory");)-",
      R"-(asm volatile("mfence" ::: "memory");)-", R"-(asm volatile("xchgl %0, %%ecx" : "+r"(v) :: "ecx");)-",
      "v += 0x11b10ff0;" // the bytes of lock cmpxchg, as a constant
  });
  for (const char* compiler : k_compilers)
    for (const char* level : k_levels)
      for (const char* more : {" -g", "", " -s"})
        EXPECT_EQ(found(compiler, std::string(level) + more, text), Found{}) << compiler << level << more;
}

// Functions that are exempted from hooks access what others do. What has no hooks because it needs none does
// not.
TEST(AtomicCode, NamesExemptedFunctions) {
  const std::string text = R"-(
#include <atomic>
#define EXEMPTED __attribute__((noinline, no_sanitize("thread")))
int shared;
static const int table[4] = {1, 2, 3, 4};
struct Base { virtual ~Base() = default; virtual int get() { return 1; } };
struct Derived : virtual Base { int get() override { return 2; } };
struct Large { int numbers[8]; };
struct Stream : virtual Large, virtual Base { ~Stream() override {} int get() override { return numbers[0]; } };
struct Both : Derived, Stream { int get() override { return 3; } };
Both both;
EXEMPTED int load(const volatile int* word) {
  return *word;
}
EXEMPTED void store(int value) {
  shared = value;
}
EXEMPTED double half(volatile double* number) {
  return *number / 2;
}
EXEMPTED int twice(const volatile int* word) {
  return load(word) + *word;
}
EXEMPTED void put(int* word, int value) {
  *word = value;
}
int usual(int* word) { return *word + shared; }
int constant(unsigned at) { return table[at % 4]; }
int local(int at) { int numbers[4] = {1, 2, 3, at}; return numbers[at % 4]; }
int virtually(Base* base) { return base->get(); }
Large leaf(int value) { return {{value, 1, 2, 3, 4, 5, 6, value}}; }
Large filled(int value) { Large large{}; large.numbers[3] = value; return large; }
int atomically(std::atomic<int>* word) { return word->load(); }
int two(int a, int b) { return a < b ? a : b; }
int main() {}
)-";
  const Found places{"program.cpp:13", "program.cpp:16", "program.cpp:19", "program.cpp:22",
                     "program.cpp:25"};
  for (const char* compiler : k_compilers) {
    for (const char* level : k_levels)
      EXPECT_EQ(found(compiler, std::string(level) + " -g", text), places) << compiler << level;
    for (const std::string linker : {"gold", "lld", "mold"}) // each calls hooks by stubs of its own
      EXPECT_EQ(found(compiler, "-O1 -g -fuse-ld=" + linker, text), places) << compiler << linker;
  }
}

// A template of the library with the user's code in it.
TEST(AtomicCode, IsFoundInsideOfTheLibrarysTemplates) {
  const std::string text = "#include <thread>\nint word;\nint main() { std::thread t([] {\n"
                           "asm volatile(\"lock; incl %0\" : \"+m\"(word) :: \"memory\"); }); t.join(); }\n";
  for (const char* compiler : k_compilers)
    for (const char* level : k_levels) {
      EXPECT_EQ(found(compiler, std::string(level) + " -g", text), Found{"program.cpp:4"})
          << compiler << level;
      EXPECT_EQ(found(compiler, level, text).size(), 1U) << compiler << level;
    }
}

TEST(AtomicCode, AStaticLibraryOfTheLanguageIsNone) {
  const std::string text = "#include <stdexcept>\n#include <thread>\n"
                           "int main() { std::thread([] { try { throw std::runtime_error(\"x\"); } "
                           "catch (const std::exception&) {} }).join(); }\n";
  for (const char* compiler : k_compilers) {
    const Compiled program(std::string(compiler) + " -g -pthread -static-libstdc++ -static-libgcc", text);
    ASSERT_TRUE(program.ok()) << compiler;
    const UnhookedCode code = code_without_hooks(program.binary(), 10).value();
    EXPECT_EQ(code.atomics, Found{}) << compiler;
    EXPECT_EQ(code.plain, (Found{k_static_library, program.source()})) << compiler;
  }
}

TEST(AtomicCode, WhatCannotBeReadIsToldApart) {
  EXPECT_FALSE(code_without_hooks("/nonexistent", 1));
  EXPECT_FALSE(code_without_hooks("/etc/hostname", 1)) << "not an ELF file";
}

} // namespace
} // namespace reex::test
