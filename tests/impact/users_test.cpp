// The users of what a change declares anew, in files that did not change: one small commit for each kind of
// declaration.
#include <gtest/gtest.h>

#include "tests/impact/scratch_project.h"

namespace reex::test {
namespace {

// `header` is included by user.cpp, which stays as it is.
class UsersOfAChange : public testing::Test {
protected:
  void change(const std::string& before, const std::string& after, const std::string& user) {
    m_user = "#include \"header.h\"\n" + user;
    m_impact = m_project.impact({{"header.h", before}, {"user.cpp", m_user}},
                                {{"header.h", after}, {"user.cpp", m_user}});
  }
  bool uses(const std::string& part) const { return has_line(m_impact, "user.cpp", line_of(m_user, part)); }
  std::string shown() const { return listing(m_impact); }

  ScratchProject m_project;
  std::string m_user;
  Impact m_impact;
};

TEST_F(UsersOfAChange, Macro) {
  change("#define LIMIT 4\n", "#define LIMIT 2\n",
         "int g;\nvoid f() {\n  g = 0;\n  if (g < LIMIT) g++;\n  g = 9;\n}\n");
  EXPECT_TRUE(uses("LIMIT")) << shown();
  EXPECT_FALSE(uses("g = 0")) << shown();
  EXPECT_FALSE(uses("g = 9")) << shown();
  EXPECT_TRUE(has_field(m_impact, "", "g")) << shown();
  EXPECT_TRUE(has_method(m_impact, "", "f")) << shown();
}

TEST_F(UsersOfAChange, MacroOfAMacroOverSeveralLines) {
  change("#define BASE \\\n  4\n#define LIMIT (BASE + 1)\n",
         "#define BASE \\\n  2\n#define LIMIT (BASE + 1)\n",
         "int g;\nvoid f() {\n  g = 0;\n  g += LIMIT;\n}\n");
  EXPECT_TRUE(uses("LIMIT")) << shown();
  EXPECT_FALSE(uses("g = 0")) << shown();
}

TEST_F(UsersOfAChange, MacroThatDecidesWhatIsCompiled) {
  change("#define WITH_LOCK 1\n", "\n",
         "#include <mutex>\nstd::mutex m;\nint g, h;\nvoid f() {\n#ifdef WITH_LOCK\n"
         "  std::lock_guard<std::mutex> lock(m);\n#endif\n  g++;\n  h++;\n}\nvoid k() {\n  h--;\n}\n");
  EXPECT_TRUE(uses("lock_guard")) << shown();
  EXPECT_TRUE(uses("g++")) << shown();
  EXPECT_TRUE(uses("h++")) << shown(); // the lock that is gone was held there
  EXPECT_FALSE(uses("h--")) << shown();
}

TEST_F(UsersOfAChange, IncludeGuardIsNoMacroThatDecides) {
  change("#pragma once\ninline int g;\ninline void set() { g = 1; }\n",
         "// Of the counter.\n#ifndef HEADER_H\n#define HEADER_H\ninline int g;\ninline void set() { g = 1; "
         "}\n#endif\n",
         "void f() {\n  set();\n}\n");
  EXPECT_FALSE(has_line(m_impact, "header.h", 4)) << shown();
  EXPECT_FALSE(has_line(m_impact, "header.h", 5)) << shown();
  EXPECT_FALSE(uses("set()")) << shown();
}

TEST_F(UsersOfAChange, Constant) {
  change("constexpr int k_limit = 4;\n", "constexpr int k_limit = 2;\n",
         "int g;\nvoid f() {\n  g = 0;\n  while (g < k_limit) g++;\n}\n");
  EXPECT_TRUE(uses("k_limit")) << shown();
  EXPECT_FALSE(uses("g = 0")) << shown();
  EXPECT_TRUE(has_field(m_impact, "", "g")) << shown();
}

TEST_F(UsersOfAChange, ConstantOfAConstant) {
  change("constexpr int k_half = 4;\nconstexpr int k_whole = 2 * k_half;\nconstexpr int k_other = 1;\n",
         "constexpr int k_half = 2;\nconstexpr int k_whole = 2 * k_half;\nconstexpr int k_other = 1;\n",
         "int g;\nvoid f() {\n  g = k_whole;\n  g = k_other;\n}\n");
  EXPECT_TRUE(uses("k_whole")) << shown();
  EXPECT_FALSE(uses("k_other")) << shown();
}

TEST_F(UsersOfAChange, WhatALambdaCaptures) {
  const auto with = [](const std::string& captures) {
    return "void f() {\n  int n = 0;\n  auto task = [" + captures +
           "]() mutable {\n    int own = 2;\n    own += 1;\n    n += own;\n  };\n  task();\n}\n";
  };
  for (const auto& [before, after] :
       {std::pair("n", "&n"), std::pair("&", "="), std::pair("=", "&, k = 1")}) {
    m_impact = m_project.impact({{"user.cpp", with(before)}}, {{"user.cpp", with(after)}});
    EXPECT_TRUE(has_line(m_impact, "user.cpp", 6)) << shown();
    EXPECT_FALSE(has_line(m_impact, "user.cpp", 5)) << shown();
  }
  m_impact = m_project.impact({{"user.cpp", with("n")}}, {{"user.cpp", "// A function.\n" + with("n")}});
  EXPECT_FALSE(has_line(m_impact, "user.cpp", 7)) << shown();
}

TEST_F(UsersOfAChange, ConstantInAMethodIsNoChangeOfItsClass) {
  change("constexpr int k_limit = 4;\nstruct A {\n  int x = 0;\n  void go() { x = k_limit; }\n};\n",
         "constexpr int k_limit = 2;\nstruct A {\n  int x = 0;\n  void go() { x = k_limit; }\n};\n",
         "A a;\nvoid f() {\n  a.go();\n}\n");
  EXPECT_FALSE(uses("A a;")) << shown();
  EXPECT_FALSE(uses("a.go()")) << shown();
  EXPECT_TRUE(has_line(m_impact, "header.h", 4)) << shown();
}

TEST_F(UsersOfAChange, EnumeratorsBehindANewOne) {
  change("enum Step { first,\n  second,\n  third = 9 };\n",
         "enum Step { first,\n  between,\n  second,\n  third = 9 };\n",
         "int g;\nvoid f() {\n  g = first;\n  g = second;\n  g = third;\n}\n");
  EXPECT_TRUE(uses("second")) << shown();
  EXPECT_FALSE(uses("first")) << shown();
  EXPECT_FALSE(uses("third")) << shown();
}

TEST_F(UsersOfAChange, DefaultArgument) {
  change("inline int g;\ninline void set(int value, bool locked = true) {\n  if (locked) g = value;\n}\n",
         "inline int g;\ninline void set(int value, bool locked = false) {\n  if (locked) g = value;\n}\n",
         "void f() {\n  set(1);\n  int local = 2;\n  (void)local;\n}\n");
  EXPECT_TRUE(uses("set(1)")) << shown();
  EXPECT_FALSE(uses("local = 2")) << shown();
}

TEST_F(UsersOfAChange, BodyOfAFunctionIsNoChangeForItsCallers) {
  change("inline int g;\ninline void set(int value) { g = value; }\n",
         "inline int g;\ninline void set(int value) { g = value + 1; }\n", "void f() {\n  set(1);\n}\n");
  EXPECT_FALSE(uses("set(1)")) << shown();
  EXPECT_TRUE(has_field(m_impact, "", "g")) << shown();
}

TEST_F(UsersOfAChange, Alias) {
  change("#include <atomic>\nusing Counter = std::atomic<int>;\n",
         "#include <atomic>\nusing Counter = int;\n",
         "Counter g;\nvoid f() {\n  Counter local{1};\n  g = 0;\n  (void)local;\n}\n");
  EXPECT_TRUE(uses("Counter g")) << shown();
  EXPECT_TRUE(uses("local{1}")) << shown();
  EXPECT_TRUE(has_field(m_impact, "", "g")) << shown();
}

TEST_F(UsersOfAChange, VariableTemplate) {
  change("template <class T> inline constexpr bool is_shared = true;\ntemplate <class T> inline constexpr "
         "int k = 1;\n",
         "template <class T> inline constexpr bool is_shared = false;\ntemplate <class T> inline constexpr "
         "int k = 1;\n",
         "int g;\nvoid f() {\n  if (is_shared<int>) g = 1;\n  g = k<int>;\n}\n"
         "template <class T> void h() {\n  if (is_shared<T>) g = 3;\n}\n");
  EXPECT_TRUE(uses("is_shared<int>")) << shown();
  EXPECT_TRUE(uses("is_shared<T>")) << shown();
  EXPECT_FALSE(uses("k<int>")) << shown();
}

TEST_F(UsersOfAChange, UsingDeclaration) {
  const std::string head = "namespace a { inline int g; inline void add() { g = 1; } }\n"
                           "namespace b { inline int h; inline void add() { h = 1; } }\n";
  change(head + "using a::add;\n", head + "using b::add;\n",
         "void f() {\n  add();\n}\nvoid g() {\n  b::add();\n}\n");
  EXPECT_TRUE(uses("  add()")) << shown();
  EXPECT_FALSE(uses("b::add()")) << shown();
  EXPECT_TRUE(has_field(m_impact, "", "b::h")) << shown();
}

TEST_F(UsersOfAChange, NamespaceAlias) {
  const std::string head = "namespace a { inline int g; inline void add() { g = 1; } }\n"
                           "namespace b { inline int h; inline void add() { h = 1; } }\n";
  change(head + "namespace impl = a;\n", head + "namespace impl = b;\n",
         "void f() {\n  impl::add();\n}\nvoid g() {\n  b::add();\n}\n");
  EXPECT_TRUE(uses("impl::add()")) << shown();
  EXPECT_FALSE(uses("b::add()")) << shown();
}

// Nothing of them is another one than before: their places are.
TEST_F(UsersOfAChange, LocalNamesOfAMovedLine) {
  const std::string body = "template <class T = int> inline T twice(T t) {\n  const int k = 2;\n"
                           "  auto by = [](int n) { return n * k; };\n  return by(t);\n}\n"
                           "static int once(int t) { return t; }\ninline int all() { return once(1); }\n";
  change("inline int g;\n" + body, "inline int g;\ninline int h;\n" + body, "int x = twice(1);\n");
  for (unsigned line = 3; line <= 9; ++line)
    EXPECT_FALSE(has_line(m_impact, "header.h", line)) << line << shown();
  EXPECT_FALSE(uses("twice")) << shown();
}

TEST_F(UsersOfAChange, BaseClass) {
  change("struct A { int x = 0; };\nstruct B { int x = 1; };\nstruct D : A {\n  void go() { x++; }\n};\n",
         "struct A { int x = 0; };\nstruct B { int x = 1; };\nstruct D : B {\n  void go() { x++; }\n};\n",
         "int other;\nvoid f() {\n  D d;\n  d.go();\n  other = 1;\n}\n");
  EXPECT_TRUE(uses("D d;")) << shown();
  EXPECT_TRUE(uses("d.go()")) << shown();
  EXPECT_FALSE(uses("other = 1")) << shown();
}

TEST_F(UsersOfAChange, DefaultMemberInitializer) {
  const std::string head = "struct A {\n  A();\n  explicit A(long);\n  A(const A&) = default;\n";
  change(head + "  int x{1};\n};\n", head + "  int x{2};\n};\n",
         "A::A()\n    = default;\nA::A(long value) { x = value; }\nint g;\nvoid f() {\n  g = 0;\n}\n");
  EXPECT_TRUE(uses("A::A()")) << shown();
  EXPECT_TRUE(uses("A::A(long")) << shown();
  EXPECT_FALSE(uses("g = 0")) << shown();
  EXPECT_FALSE(has_line(m_impact, "header.h", 4)) << shown(); // a copy takes the values of the other object
}

// It has an initializer of its own for the member, or calls another constructor.
TEST_F(UsersOfAChange, ConstructorThatRunsNoDefaultMemberInitializer) {
  const std::string head = "struct A {\n  A(int v) : x(v) {}\n  A() : A(1) {}\n  A(const A&) {}\n";
  change(head + "  int x{1};\n};\n", head + "  int x{2};\n};\n", "A a;\n");
  EXPECT_FALSE(has_line(m_impact, "header.h", 2)) << shown();
  EXPECT_FALSE(has_line(m_impact, "header.h", 3)) << shown();
  EXPECT_TRUE(has_line(m_impact, "header.h", 4)) << shown(); // a copy that is written runs them
}

TEST_F(UsersOfAChange, ConstructorTemplateOfAClassTemplate) {
  const std::string head = "template <class T> struct A {\n  template <class U> explicit A(U u) : y(u) {}\n"
                           "  A(T, T) : A<T>(1) {}\n  T y;\n";
  change(head + "  T x{1};\n};\n", head + "  T x{2};\n};\n", "A<int> a(1L);\n");
  EXPECT_TRUE(has_line(m_impact, "header.h", 2)) << shown();
  EXPECT_FALSE(has_line(m_impact, "header.h", 3)) << shown();
}

// Where the code is: with g++ on the last line before the body, or on that of its brace.
TEST_F(UsersOfAChange, ConstructorOfSeveralLines) {
  const std::string head =
      "struct A {\n  A(int a,\n    int b)\n    : y(a) // of a\n    , z(b) /* of b */\n  {\n  }\n"
      "  A(\n    int)\n  {\n  }\n  int y, z = 0;\n";
  change(head + "  int x{1};\n};\n", head + "  int x{2};\n};\n", "A a(1);\n");
  for (const unsigned line : {2U, 5U, 8U, 10U})
    EXPECT_TRUE(has_line(m_impact, "header.h", line)) << line << shown();
  for (const unsigned line : {3U, 4U, 6U, 7U, 9U, 11U, 12U})
    EXPECT_FALSE(has_line(m_impact, "header.h", line)) << line << shown();
}

TEST_F(UsersOfAChange, AggregateThatAListInitializes) {
  change("struct A {\n  int x = 1;\n  int y = 1;\n};\n", "struct A {\n  int x = 1;\n  int y = 2;\n};\n",
         "A none{};\nA first{1};\nA both{1, 2};\nA named{.y = 3};\nA other{.x = 4};\n");
  EXPECT_TRUE(uses("none")) << shown();
  EXPECT_TRUE(uses("first")) << shown();
  EXPECT_TRUE(uses("other")) << shown();
  EXPECT_FALSE(uses("both")) << shown();
  EXPECT_FALSE(uses("named")) << shown();
}

TEST_F(UsersOfAChange, OrderOfDefaultMemberInitializers) {
  change("int take(int);\nstruct A {\n  int x{take(0)};\n  void go() {}\n  int y{take(1)};\n};\n",
         "int take(int);\nstruct A {\n  int y{take(1)};\n  int x{take(0)};\n  void go() {}\n};\n", "A a;\n");
  EXPECT_TRUE(has_line(m_impact, "header.h", 2)) << shown(); // of the constructor that is not declared
}

// Nothing runs in the place of an initializer that is gone, and the others stay in their order.
TEST_F(UsersOfAChange, RemovedMemberWithInitializer) {
  change("struct A {\n  A() {}\n  int x{1};\n  int y{1};\n  int z{1};\n};\n",
         "struct A {\n  A() {}\n  int x{1};\n  int z{1};\n};\n", "A a;\n");
  EXPECT_FALSE(has_line(m_impact, "header.h", 2)) << shown();
}

// A member of class type is constructed in its turn, and so is one that the constructor names.
TEST_F(UsersOfAChange, OrderOfMembers) {
  const std::string head = "struct S { S(); };\nstruct A {\n  A()\n    : y(1)\n  {\n  }\n  int x;\n";
  change(head + "  S s;\n  int y;\n};\n", head + "  int y;\n  S s;\n};\n", "A a;\n");
  EXPECT_TRUE(has_line(m_impact, "header.h", 3)) << shown();
  EXPECT_TRUE(has_line(m_impact, "header.h", 4)) << shown();
  EXPECT_FALSE(has_line(m_impact, "header.h", 1)) << shown();
}

TEST_F(UsersOfAChange, MemberWithoutInitializer) {
  change("struct A {\n  A() {}\n  int x{1};\n};\n", "struct A {\n  A() {}\n  int x{1};\n  int y;\n};\n",
         "A a;\n");
  EXPECT_FALSE(has_line(m_impact, "header.h", 2)) << shown();
}

TEST_F(UsersOfAChange, DeclarationOfAStaticLocal) {
  change("inline int count() {\n  static thread_local int calls{0};\n  return ++calls;\n}\n",
         "inline int count() {\n  static int calls{0};\n  return ++calls;\n}\n",
         "void f() {\n  count();\n}\n");
  EXPECT_TRUE(has_field(m_impact, "", "count()::calls")) << shown();
}

TEST_F(UsersOfAChange, DeclarationOfALocalThatALambdaShares) {
  const std::string rest =
      "  int other = 0;\n  auto add = [&] { ++shared; };\n  add();\n  return other;\n}\n";
  change("inline int count() {\n  volatile int shared = 0;\n" + rest,
         "inline int count() {\n  int shared = 0;\n" + rest, "void f() {\n  count();\n}\n");
  EXPECT_TRUE(has_field(m_impact, "", "count()::shared")) << shown();
  EXPECT_FALSE(has_field(m_impact, "", "count()::other")) << shown();
}

// What a lock protects is protected by another mutex, or from others, once the mutex is declared anew.
TEST_F(UsersOfAChange, MutexOfAFunctionIsNoLongerStatic) {
  const std::string head = "#include <mutex>\ninline int g;\ninline void count() {\n";
  const std::string rest = "  std::lock_guard<std::mutex> lock(m);\n  g++;\n}\n";
  change(head + "  static std::mutex m;\n" + rest, head + "  std::mutex m;\n" + rest,
         "void f() {\n  count();\n}\n");
  EXPECT_TRUE(has_line(m_impact, "header.h", 6)) << shown();
  EXPECT_TRUE(has_field(m_impact, "", "g")) << shown();
}

TEST_F(UsersOfAChange, MutexBecomesAMember) {
  const std::string head = "#include <mutex>\nstruct A {\n  void count();\n  void other();\n";
  const std::string rest = "  std::mutex k;\n};\n";
  change(head + "  static std::mutex m;\n" + rest, head + "  std::mutex m;\n" + rest,
         "int g, h;\nvoid A::count() {\n  std::lock_guard<std::mutex> lock(m);\n  g++;\n}\n"
         "void A::other() {\n  k.lock();\n  h++;\n  k.unlock();\n}\n");
  EXPECT_TRUE(uses("g++")) << shown();
  EXPECT_FALSE(uses("h++")) << shown();
}

TEST_F(UsersOfAChange, MutexThatMoves) {
  change("#include <mutex>\nstruct A {\n  std::mutex m;\n  int x;\n  int y;\n};\n",
         "#include <mutex>\nstruct A {\n  int x;\n  int y;\n  std::mutex m;\n};\n",
         "void f(A& a) {\n  a.m.lock();\n  a.x++;\n  a.m.unlock();\n}\n");
  EXPECT_FALSE(uses("a.x++")) << shown();
}

TEST_F(UsersOfAChange, AliasOfAMutex) {
  const std::string head = "struct No {\n  void lock() {}\n  void unlock() {}\n};\nstruct Yes : No {};\n";
  const std::string rest = "struct A {\n  Mutex m;\n  int x;\n};\n";
  change(head + "using Mutex = Yes;\n" + rest, head + "using Mutex = No;\n" + rest,
         "void f(A& a) {\n  a.m.lock();\n  a.x++;\n  a.m.unlock();\n}\n");
  EXPECT_TRUE(uses("a.x++")) << shown();
}

TEST_F(UsersOfAChange, FlagOfACallOnce) {
  const std::string head = "#include <mutex>\ninline int g, h;\ninline void make() {\n  h++;\n";
  const std::string rest = "  std::call_once(flag, [] {\n    g++;\n  });\n}\n";
  change(head + "  static std::once_flag flag;\n" + rest, head + "  std::once_flag flag;\n" + rest,
         "void f() {\n  make();\n}\n");
  EXPECT_TRUE(has_line(m_impact, "header.h", 7)) << shown();
  EXPECT_TRUE(has_field(m_impact, "", "g")) << shown();
}

// A lock of a class template, which its arguments may turn off.
class LockOfATemplate : public UsersOfAChange {
protected:
  static std::string queue(const std::string& lock) {
    return "struct No {\n  void lock() {}\n  void unlock() {}\n};\nstruct Yes : No {};\n"
           "template <class T, class L" +
           lock +
           "> struct Queue {\n  void put(T t) {\n    key.lock();\n    value = t;\n    key.unlock();\n  }\n"
           "  T get() { return value; }\n  L key;\n  T value;\n};\n";
  }
  void expect_lock(bool found) {
    EXPECT_EQ(has_line(m_impact, "header.h", 9), found) << shown();
    EXPECT_FALSE(has_line(m_impact, "header.h", 12)) << shown();
  }
};

TEST_F(LockOfATemplate, DefaultArgument) {
  change(queue(" = Yes"), queue(" = No"), "Queue<int> q;\n");
  expect_lock(true);
}

TEST_F(LockOfATemplate, ArgumentOfAMember) {
  change(queue("") + "struct A {\n  Queue<int, Yes> q;\n};\n",
         queue("") + "struct A {\n  Queue<int, No> q;\n};\n", "A a;\n");
  expect_lock(true);
}

TEST_F(LockOfATemplate, ArgumentOfALocalVariable) {
  change(queue("") + "inline void f() {\n  Queue<int, Yes> q;\n  q.put(1);\n}\n",
         queue("") + "inline void f() {\n  Queue<int, No> q;\n  q.put(1);\n}\n", "void g() {\n  f();\n}\n");
  expect_lock(true);
}

TEST_F(LockOfATemplate, ArgumentOfAnAlias) {
  change(queue("") + "using Work = Queue<int, Yes>;\n", queue("") + "using Work = Queue<int, No>;\n",
         "Work w;\n");
  expect_lock(true);
}

TEST_F(LockOfATemplate, ArgumentOfABase) {
  change(queue("") + "struct A : Queue<int, Yes> {};\n", queue("") + "struct A : Queue<int, No> {};\n",
         "A a;\n");
  expect_lock(true);
}

TEST_F(LockOfATemplate, AnotherVariable) {
  change(queue("") + "inline Queue<int, Yes> a;\n",
         queue("") + "inline Queue<int, Yes> a;\ninline Queue<int, No> b;\n", "int g;\n");
  expect_lock(false);
}

TEST_F(UsersOfAChange, AddedOverride) {
  const std::string base =
      "struct A {\n  int x = 0;\n  virtual void go() { x++; }\n  virtual ~A() = default;\n};\n";
  change(base + "struct D : A {\n};\n", base + "struct D : A {\n  void go() override { x--; }\n};\n",
         "int other;\nvoid f(A& a) {\n  a.go();\n  other = 1;\n}\n");
  EXPECT_TRUE(uses("a.go()")) << shown();
  EXPECT_FALSE(uses("other = 1")) << shown();
}

TEST_F(UsersOfAChange, RemovedOverload) {
  change("inline int g, h;\ninline void set(long value) { g = static_cast<int>(value); }\n"
         "inline void set(int value) { h = value; }\n",
         "inline int g, h;\ninline void set(long value) { g = static_cast<int>(value); }\n",
         "void f() {\n  set(1);\n  int local = 2;\n  (void)local;\n}\n");
  EXPECT_TRUE(uses("set(1)")) << shown();
  EXPECT_FALSE(uses("local = 2")) << shown();
  EXPECT_TRUE(has_field(m_impact, "", "g")) << shown();
}

// Of the units that include the header, one is parsed with its old text. In the other one, a line that names
// the class does not use another constructor.
TEST_F(UsersOfAChange, RemovedConstructor) {
  const std::string first = "#include \"header.h\"\nvoid f(A& a) { a.x = 1; }\n";
  m_user = "#include \"header.h\"\nvoid g(A& a) {\n  a.x = 2;\n}\nA made;\n";
  m_impact = m_project.impact(
      {{"header.h", "struct A {\n  A() {}\n  int x;\n};\n"}, {"a.cpp", first}, {"user.cpp", m_user}},
      {{"header.h", "struct A {\n  int x;\n};\n"}, {"a.cpp", first}, {"user.cpp", m_user}});
  EXPECT_TRUE(uses("made")) << shown();
  EXPECT_FALSE(uses("void g")) << shown();
}

TEST_F(UsersOfAChange, UseInALockRegion) {
  change("constexpr int k_step = 1;\n", "constexpr int k_step = 2;\n",
         "#include <mutex>\nstd::mutex m;\nint g, h;\nvoid f() {\n  h = 3;\n  std::lock_guard<std::mutex> "
         "lock(m);\n"
         "  g += k_step;\n}\n");
  EXPECT_TRUE(uses("k_step")) << shown();
  EXPECT_TRUE(uses("lock_guard")) << shown();
  EXPECT_FALSE(uses("h = 3")) << shown();
}

// What the compiler executes has no lines that a thread could.
TEST_F(UsersOfAChange, ConstexprFunctionInAConstant) {
  change("constexpr int limit() { return 4; }\n", "constexpr int limit() { return 2; }\n",
         "constexpr int k_all = limit() + 1;\nint g;\nvoid f() {\n  g = 0;\n  while (g < k_all) g++;\n"
         "  g = limit();\n}\n");
  EXPECT_TRUE(uses("g < k_all")) << shown();
  EXPECT_FALSE(uses("g = 0")) << shown();
  EXPECT_FALSE(uses("g = limit()")) << shown(); // the line of the function that it executes counts
}

TEST_F(UsersOfAChange, ConstexprFunctionOfAnother) {
  change(
      "constexpr int limit() { return 4; }\n", "constexpr int limit() { return 2; }\n",
      "constexpr int all() { return limit() + 1; }\nconst int k_all = all();\nint g;\nvoid f() {\n  g = 0;\n"
      "  while (g < k_all) g++;\n}\n");
  EXPECT_TRUE(uses("g < k_all")) << shown();
  EXPECT_FALSE(uses("g = 0")) << shown();
}

TEST_F(UsersOfAChange, ConstevalFunction) {
  change("consteval int limit() { return 4; }\n", "consteval int limit() { return 2; }\n",
         "int g;\nvoid f() {\n  g = 0;\n  while (g < limit()) g++;\n}\n");
  EXPECT_TRUE(uses("limit()")) << shown();
  EXPECT_FALSE(uses("g = 0")) << shown();
}

// The lines of both branches may be new, or gone.
TEST_F(UsersOfAChange, ConditionOfAConstexprIf) {
  const std::string user =
      "#include <mutex>\nstd::mutex m;\nint g, h;\ntemplate <class P> void f(P) {\n"
      "  if constexpr (CONDITION) {\n    std::lock_guard lock(m);\n    g = 1;\n  } else {\n"
      "    g = 2;\n  }\n  h = 3;\n}\nvoid k() { f(Policy()); }\n";
  const std::string header =
      "struct Policy { static constexpr bool locks = true; };\nconstexpr bool k_locks = true;\n"
      "constexpr bool locks() { return true; }\n";
  for (const char* condition : {"P::locks", "k_locks", "locks()"}) {
    change(header,
           replaced(replaced(replaced(header, "locks = true", "locks = false"), "k_locks = true",
                             "k_locks = false"),
                    "return true", "return false"),
           replaced(user, "CONDITION", condition));
    EXPECT_TRUE(uses("lock_guard")) << condition << shown();
    EXPECT_TRUE(uses("g = 1")) << condition << shown();
    EXPECT_TRUE(uses("g = 2")) << condition << shown();
    EXPECT_FALSE(uses("h = 3")) << condition << shown();
    EXPECT_TRUE(has_field(m_impact, "", "m")) << condition << shown();
  }
}

// What libclang does not show of a condition that a template does not know yet.
TEST_F(UsersOfAChange, NamesInTheConditionOfATemplate) {
  const std::string user =
      "#include <mutex>\nstd::mutex m;\nint g, h;\ntemplate <typename P> struct User {\n  void f(P& p) {\n"
      "    if constexpr (CONDITION)\n      m.lock();\n    g = 1;\n  }\n  void k() { h = 3; }\n};\n";
  const std::string header =
      "struct Policy {\n  static constexpr bool locks = true;\n  void enter() {}\n};\ntemplate <typename A, "
      "typename B> constexpr bool same = __is_same(A, B);\ntemplate <typename T> struct Traits { using kind "
      "= "
      "int; };\n";
  const auto with = [&](const char* from, const char* to) { return replaced(header, from, to); };
  for (const auto& [condition, after] :
       {std::pair{"P::locks", with("locks = true", "locks = false")},
        std::pair{"requires { p.enter(); }", with("void enter()", "void come()")},
        std::pair{"same<typename Traits<P>::kind, int>", with("kind = int", "kind = char")}}) {
    change(header, after, replaced(user, "CONDITION", condition));
    EXPECT_TRUE(uses("m.lock()")) << condition << shown();
    EXPECT_FALSE(uses("h = 3")) << condition << shown();
  }
}

// The functions that a line calls are others, and those of the old side locked.
TEST_F(UsersOfAChange, OtherBasesWhoseFunctionsLocked) {
  const std::string header =
      "#include <mutex>\nstruct Locked {\n  std::mutex m;\n  void enter() {\n    m.lock();\n  }\n  void "
      "leave() "
      "{\n    m.unlock();\n  }\n};\nstruct Free {\n  void enter() {}\n  void leave() {}\n};\nstruct Middle : "
      "Locked {};\n";
  change(header, replaced(header, "Middle : Locked", "Middle : Free"),
         "struct Top : Middle {};\nTop t;\nint g, h;\nvoid f() {\n  h = 1;\n  t.enter();\n  g++;\n  "
         "t.leave();\n}\n");
  EXPECT_TRUE(uses("t.enter()")) << shown();
  EXPECT_TRUE(uses("g++")) << shown();
  EXPECT_FALSE(uses("h = 1")) << shown();
}

TEST_F(UsersOfAChange, CommentsGiveNothing) {
  change("constexpr int k_step = 1;\n", "// of the counter\nconstexpr int k_step = 1;\n",
         "int g;\nvoid f() {\n  g += k_step;\n}\n");
  EXPECT_FALSE(uses("k_step")) << shown();
  EXPECT_TRUE(m_impact.no_points) << shown();
}

} // namespace
} // namespace reex::test
