// What a test case can reach, rule by rule: each program has one thing by which a call is not seen in plain
// words, and a case that must not be skipped because of it. Each rule is there: without the mention, the same
// case is out of reach.
#include <gtest/gtest.h>

#include "impact/reach/graph.h"
#include "impact/sources/lexical.h"
#include "tests/impact/scratch_project.h"

namespace reex::test {
namespace {

// Cases as GoogleTest's macros declare them, without GoogleTest.
const std::string k_framework = R"(#pragma once
struct Test { virtual ~Test() = default; virtual void TestBody() = 0; };
int add_case(const char* name, Test* (*make)());
#define TEST(suite, name) \
  struct suite##_##name##_Test : Test { void TestBody() override; static int test_info_; }; \
  int suite##_##name##_Test::test_info_ = \
      add_case(#suite "." #name, []() -> Test* { return new suite##_##name##_Test; }); \
  void suite##_##name##_Test::TestBody()
)";

// The framework itself is a unit of the program.
const std::string k_runner = R"(#include "framework.h"
static Test* (*g_makers[100])();
static int g_count = 0;
int add_case(const char*, Test* (*make)()) { g_makers[g_count++] = make; return g_count; }
int main() { for (int i = 0; i < g_count; ++i) g_makers[i]()->TestBody(); }
)";

class ReachOfACase : public testing::Test {
protected:
  // `code` has a line with MARK, where the change is; the case Some.Case of `test` runs it or does not.
  void build(const std::string& code, const std::string& test) {
    m_project.write("framework.h", k_framework);
    const std::string now = "#pragma once\n" + code;
    const std::string source = "#include \"framework.h\"\n#include \"code.h\"\n" + test;
    std::string before = now;
    if (const std::size_t mark = now.find("++g_count_of_marks;"); mark != std::string::npos)
      before.replace(mark, 19, ";");
    const ScratchProject::Files same = {
        {"framework.h", k_framework}, {"runner.cpp", k_runner}, {"test.cpp", source}};
    ScratchProject::Files old = same;
    ScratchProject::Files fresh = same;
    old["code.h"] = before;
    fresh["code.h"] = now;
    m_impact = m_project.impact(old, fresh);
  }
  bool out_of_reach(const std::string& name) const { return m_impact.reach->out_of_reach.contains(name); }
  std::string shown() const {
    std::string text = listing(m_impact) + "unknown: " + m_impact.reach->unknown + "; cases:";
    for (const std::string& name : m_impact.reach->cases)
      text += ' ' + name + (out_of_reach(name) ? "(out)" : "");
    return text;
  }
  void SetUp() override { m_project.find_reach(); }

  // Some.Reaches runs the change; Some.Else, which mentions nothing of it, is out of reach.
  // `beside` is in the test's file: the free functions of a file count as impacted together.
  void expect_reached(const std::string& code, const std::string& body, const std::string& beside = "") {
    build("inline int g_count_of_marks;\n" + code,
          beside + "TEST(Some, Reaches) { " + body + " }\nTEST(Some, Else) { int i = 1; (void)i; }\n");
    ASSERT_TRUE(m_impact.reach.has_value());
    EXPECT_EQ(m_impact.reach->unknown, "");
    EXPECT_EQ(m_impact.reach->cases.size(), 2U) << shown();
    EXPECT_FALSE(out_of_reach("Some_Reaches_Test")) << shown();
    EXPECT_TRUE(out_of_reach("Some_Else_Test")) << shown();
  }

  ScratchProject m_project;
  Impact m_impact;
};

TEST_F(ReachOfACase, Call) { expect_reached("inline void f() { ++g_count_of_marks; }\n", "f();"); }

TEST_F(ReachOfACase, CallThroughOthers) {
  expect_reached("inline void f() { ++g_count_of_marks; }\ninline void g() { f(); }\n", "auto* p = &g; p();");
}

TEST_F(ReachOfACase, MethodOfAnObject) {
  expect_reached("struct Q { void push(); };\nstruct Holder { Q q; };\n"
                 "inline void Q::push() { ++g_count_of_marks; }\n",
                 "Holder h; h.q.push();");
}

TEST_F(ReachOfACase, VirtualFunction) {
  expect_reached("struct Base { virtual ~Base() = default; virtual void run() = 0; };\n"
                 "struct Derived : Base { void run() override { ++g_count_of_marks; } };\n"
                 "inline Base* make_it() { return new Derived; }\n",
                 "Base* b = make_it(); b->run();");
}

TEST_F(ReachOfACase, Destructor) {
  expect_reached("struct Q { ~Q() { ++g_count_of_marks; } };\ninline Q make_it() { return {}; }\n",
                 "auto q = make_it(); (void)q;");
}

TEST_F(ReachOfACase, Conversion) {
  expect_reached("struct Q { Q(int) { ++g_count_of_marks; } };\ninline void take(Q) {}\n", "take(1);");
}

TEST_F(ReachOfACase, Operator) {
  expect_reached(
      "struct Q {};\ninline bool operator==(const Q&, const Q&) { ++g_count_of_marks; return true; }\n",
      "t::same(Q{}, Q{});", "namespace t { template <class T> bool same(T a, T b) { return a == b; } }\n");
}

TEST_F(ReachOfACase, ArgumentDependentCallFromATemplate) {
  expect_reached("namespace n {\nstruct Q {};\ninline void exchange_with(Q&) { ++g_count_of_marks; }\n}\n",
                 "n::Q q; t::both(q);",
                 "#define EXCHANGE(x) exchange##_with(x)\n"
                 "namespace t { template <class T> void both(T& a) { EXCHANGE(a); } }\n");
}

TEST_F(ReachOfACase, Specialization) {
  expect_reached("template <class T> struct Hash { int operator()(T) const { return 0; } };\nstruct Q {};\n"
                 "template <> struct Hash<Q> { int operator()(Q) const { ++g_count_of_marks; return 1; } };\n"
                 "namespace t { template <class T> int hash(T t) { return Hash<T>()(t); } }\n",
                 "t::hash(Q{});");
}

TEST_F(ReachOfACase, Macro) {
  expect_reached("inline void f() { ++g_count_of_marks; }\n#define CALL \\\n  f()\n", "CALL;");
}

TEST_F(ReachOfACase, PastedName) {
  expect_reached("inline void run_fast() { ++g_count_of_marks; }\n#define RUN(how) run_##how()\n",
                 "RUN(fast);");
}

TEST_F(ReachOfACase, TableOfFunctions) {
  expect_reached("inline void f() { ++g_count_of_marks; }\ninline void (*g_table[])() = {&f};\n",
                 "g_table[0]();");
}

TEST_F(ReachOfACase, Enumerator) {
  expect_reached("struct Q { void f() { ++g_count_of_marks; } };\nenum { size_of_q = sizeof(Q) };\n"
                 "namespace t { template <int> void go() { Q().f(); } }\n",
                 "t::go<size_of_q>();");
}

TEST_F(ReachOfACase, Literal) {
  expect_reached("inline int operator\"\"_far(unsigned long long) { ++g_count_of_marks; return 1; }\n",
                 "const int i = 1_far; (void)i;");
}

TEST_F(ReachOfACase, Alias) {
  expect_reached("struct Q { void f() { ++g_count_of_marks; } };\nusing Short = Q;\n", "Short().f();");
}

TEST_F(ReachOfACase, FieldOfAnImpactedClass) {
  expect_reached("struct Q { int n = 0; void f() { n = 1; ++g_count_of_marks; } };\n", "Q q; q.n = 2;");
}

// What every case runs.
TEST_F(ReachOfACase, InitializerOfAVariable) {
  build("inline int g_count_of_marks;\ninline int f() { ++g_count_of_marks; return 1; }\ninline int g_value "
        "= f();\n",
        "TEST(Some, Else) {}\n");
  EXPECT_TRUE(m_impact.reach->unknown.starts_with("every test may run what is impacted")) << shown();
  EXPECT_TRUE(m_impact.reach->out_of_reach.empty());
}

TEST_F(ReachOfACase, Constructor) {
  build(
      "inline int g_count_of_marks;\n__attribute__((constructor)) inline void f() { ++g_count_of_marks; }\n",
      "TEST(Some, Else) {}\n");
  EXPECT_TRUE(m_impact.reach->unknown.starts_with("every test may run what is impacted")) << shown();
}

TEST_F(ReachOfACase, ReplacedAllocation) {
  build("inline int g_count_of_marks;\nusing Size = decltype(sizeof(0));\nextern \"C\" void* malloc(Size);\n"
        "inline void* allocate(Size n) { ++g_count_of_marks; return malloc(n); }\n",
        "void* operator new(Size n) { return allocate(n); }\nTEST(Some, Else) {}\n");
  EXPECT_TRUE(m_impact.reach->unknown.starts_with("every test may run what is impacted")) << shown();
}

// The library calls it for a type of its namespace, as std::sort calls swap.
TEST_F(ReachOfACase, TemplateThatTheLibraryCalls) {
  expect_reached(
      "namespace n {\nstruct Q {};\ntemplate <class T> void for_any(T&) { ++g_count_of_marks; }\n}\n",
      "n::Q q; (void)q;");
}

TEST_F(ReachOfACase, GenericOperator) {
  build("inline int g_count_of_marks;\ntemplate <class T> bool operator!(const T&) { ++g_count_of_marks; "
        "return true; }\n",
        "TEST(Some, Else) {}\n");
  EXPECT_TRUE(m_impact.reach->unknown.starts_with("every test may run what is impacted")) << shown();
}

// A body that is not in the parsed sources may do anything.
TEST_F(ReachOfACase, FunctionOfAnotherLibrary) {
  build("inline int g_count_of_marks;\ninline void f() { ++g_count_of_marks; }\nvoid from_elsewhere();\n",
        "TEST(Some, Calls) { from_elsewhere(); }\nTEST(Some, Else) {}\n");
  EXPECT_FALSE(out_of_reach("Some_Calls_Test")) << shown();
  EXPECT_TRUE(out_of_reach("Some_Else_Test")) << shown();
}

TEST_F(ReachOfACase, LoadedLibrary) {
  build("inline int g_count_of_marks;\ninline void f() { ++g_count_of_marks; }\n",
        "#include <dlfcn.h>\nTEST(Some, Loads) { dlsym(nullptr, \"f\"); }\nTEST(Some, Else) {}\n");
  EXPECT_FALSE(out_of_reach("Some_Loads_Test")) << shown();
  EXPECT_TRUE(out_of_reach("Some_Else_Test")) << shown();
}

// A change outside of declarations may change what any name means.
TEST_F(ReachOfACase, CodeOutsideOfDeclarations) {
  const std::string test = "#include \"framework.h\"\n#include \"code.h\"\nTEST(Some, Else) {}\n";
  const ScratchProject::Files same = {
      {"framework.h", k_framework}, {"runner.cpp", k_runner}, {"test.cpp", test}};
  ScratchProject::Files old = same;
  ScratchProject::Files now = same;
  old["code.h"] = "namespace n { inline void f() {} }\n";
  now["code.h"] = "namespace n { inline void f() {} }\nusing namespace n;\n";
  m_impact = m_project.impact(old, now);
  EXPECT_TRUE(m_impact.reach->unknown.starts_with("code outside of functions")) << shown();
}

// An overload that is gone: the case that called it calls another one now, whose lines are the same.
TEST_F(ReachOfACase, RemovedOverload) {
  const std::string test =
      "#include \"framework.h\"\n#include \"code.h\"\nTEST(Some, Calls) {\n  f(1);\n}\nTEST(Some, Else) {}\n";
  const ScratchProject::Files same = {
      {"framework.h", k_framework}, {"runner.cpp", k_runner}, {"test.cpp", test}};
  ScratchProject::Files old = same;
  ScratchProject::Files now = same;
  old["code.h"] = "inline int f(long) { return 1; }\ninline int f(int) { return 2; }\n";
  now["code.h"] = "inline int f(long) { return 1; }\n";
  m_impact = m_project.impact(old, now);
  EXPECT_EQ(m_impact.reach->unknown, "");
  EXPECT_FALSE(out_of_reach("Some_Calls_Test")) << shown();
  EXPECT_TRUE(out_of_reach("Some_Else_Test")) << shown();
}

TEST(Macros, HaveTheLinesOfTheirText) {
  const auto macros =
      impact::macros_of(impact::code_of_lines("int i;\n#define A(x) \\\n  f(x); \\\n  g(x)\n#define B 1\n"));
  ASSERT_EQ(macros.size(), 2U);
  EXPECT_EQ(macros[0].declares, std::vector<std::string>{"A"});
  EXPECT_EQ(macros[0].first, 2U);
  EXPECT_EQ(macros[0].last, 4U);
  EXPECT_EQ(macros[1].first, 5U);
}

} // namespace
} // namespace reex::test
