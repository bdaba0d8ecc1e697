// Analysis 2 of section 4.2.1 (dissertation): the methods and classes of changed lines, and which lines
// changed.
#include <gtest/gtest.h>

#include "tests/impact/marked_commit.h"
#include "tests/impact/scratch_project.h"

namespace reex::test {
namespace {

TEST(Owners, NestedClassInsideAMethod) {
  expect_impact({{"a.cpp", R"(
 struct Outer {
   void run() {
     struct Local {
       int go() {
-        return 1;
+        return 2; //!
       }
     } local;
     local.go();
   }
 };
)"}},
                {.methods = "Outer::run()::Local::go", .classes = "Outer::run()::Local"});
}

TEST(Owners, AnonymousNamespaceAndFreeFunction) {
  expect_impact({{"a.cpp", R"(
 namespace app { namespace {
 int one() {
-  return 1;
+  return 2; //!
 }
 int two() { return 2; }
 } }
)"}},
                {.methods = "app::(anonymous namespace)::one"});
}

TEST(Owners, MethodDefinedOutsideItsTemplate) {
  expect_impact({{"a.cpp", R"(
 template <class T> struct Stack { T top(); T bottom(); };
 template <class T> T Stack<T>::top() {
-  return T{1};
+  return T{2}; //!
 }
 template <class T> T Stack<T>::bottom() {
   return T{1};
 }
 int f() { return Stack<int>().top(); }
)"}},
                {.methods = "Stack::top", .classes = "Stack"});
}

TEST(Owners, SpecializationsAreOneClass) {
  expect_impact({{"a.cpp", R"(
 template <class T> struct Name { int get() { return 1; } };
 template <> struct Name<int> {
   int get() {
-    return 2;
+    return 3; //!
   }
 };
)"}},
                {.methods = "Name::get", .classes = "Name"});
}

TEST(Owners, OperatorsAndConversions) {
  expect_impact(
      {{"a.cpp", R"(
 struct Money {
   long m_cents = 0;
   Money& operator+=(long n) {
-    m_cents += n;
+    m_cents += 2 * n; //!
     return *this;
   }
   explicit operator bool() const {
-    return m_cents != 0;
+    return m_cents > 0; //!
   }
   bool operator()() const { return true; }
 };
)"}},
      {.methods = "Money::operator bool, Money::operator+=", .classes = "Money", .fields = "Money::m_cents"});
}

TEST(Owners, ConstructorAndDestructor) {
  expect_impact({{"a.cpp", R"(
 struct File {
   File()
-    : m_open(true) {}
+    : m_open(false) {} //!
   ~File() {
-    m_open = false;
+    m_open = true; //!
   }
   bool m_open;
   int m_size = 0;
 };
)"}},
                {.methods = "File::File, File::~File", .classes = "File", .fields = "File::m_open"});
}

TEST(Owners, InlineFunctionOfAHeaderThatChangesAlone) {
  expect_impact({{"h.h", R"(
 #pragma once
 struct Clock {
   int now() {
-    return 1;
+    return 2; //!
   }
 };
)"},
                 {"a.cpp", R"(
 #include "h.h"
 int f() {
   Clock c;
   return c.now();
 }
)"}},
                {.methods = "Clock::now", .classes = "Clock"});
}

TEST(Owners, GenericLambdaInAMethodTemplate) {
  expect_impact({{"a.cpp", R"(
 struct Each {
   template <class F> void all(F f) {
     auto twice = [&](auto x) {
       f(x);
-      f(x);
+      f(x + 1); //!
     };
     twice(1);
   }
 };
 void g() { Each().all([](int) {}); }
)"}},
                {.methods = "Each::all, Each::all::(lambda)", .classes = "Each", .fields = "Each::all()::f"});
}

TEST(Owners, MovedCodeBelongsToItsNewMethod) {
  expect_impact({{"a.cpp", R"(
 struct Job {
   int m_a = 0;
   int m_b = 0;
-  void whole() {
+  void first() { //!
     m_a = 1; //!
+  } //!
+  void second() { //!
     m_b = 1; //!
   } //!
 };
)"}},
                {.methods = "Job::first, Job::second", .classes = "Job", .fields = "Job::m_a, Job::m_b"});
}

TEST(Owners, WhiteSpaceAndCommentsAreNoChange) {
  expect_impact({{"a.cpp", R"(
 struct Job {
-  int m_a=0; // one
+  int m_a   = 0; /* two */
-  void go(){ m_a = 1; }
+  void go() {
+    m_a = 1;
+  }
 };
)"}},
                {});
}

TEST(Owners, LineEndsAreNoChange) {
  const std::string text = "struct A {\n  int x = 0;\n  void go() { x = 1; }\n};\n";
  std::string dos;
  for (const char c : text) dos += c == '\n' ? std::string("\r\n") : std::string(1, c);
  ScratchProject project;
  EXPECT_TRUE(project.impact({{"a.cpp", text}}, {{"a.cpp", dos}}).no_points);
  ScratchProject changed;
  const Impact impact = changed.impact({{"a.cpp", text}}, {{"a.cpp", replaced(dos, "x = 1", "x = 2")}});
  EXPECT_TRUE(has_line(impact, "a.cpp", 3)) << listing(impact);
  EXPECT_FALSE(has_line(impact, "a.cpp", 2)) << listing(impact);
  EXPECT_TRUE(has_method(impact, "A", "go")) << listing(impact);
}

TEST(Owners, AddedFile) {
  expect_impact({{"a.cpp", " int f() { return 1; }\n"}, {"b.cpp", R"(
+struct New { //!
+  int go() { return 1; } //!
+}; //!
)"}},
                {.methods = "New::go", .classes = "New"});
}

TEST(Owners, DeletedFileGivesTheFieldsThatItAccessed) {
  expect_impact({{"h.h", R"(
 struct Pool { void fill(); void drain() { m_used = 0; } int m_free = 0; int m_used = 0; };
)"},
                 {"a.cpp", R"(
 #include "h.h"
 int main() { Pool p; p.drain(); }
)"},
                 {"b.cpp", R"(
-#include "h.h"
-void Pool::fill() {
-  m_free = 1;
-}
)"}},
                {.classes = "Pool", .fields = "Pool::m_free"});
}

TEST(Owners, RenamedFileWithoutAChange) {
  expect_impact({{"old.h", "-#pragma once\n-inline int answer() { return 42; }\n"},
                 {"new.h", "+#pragma once\n+inline int answer() { return 42; }\n"},
                 {"a.cpp", R"(
-#include "old.h"
+#include "new.h" //!
 int f() { return answer(); }
)"}},
                {});
}

TEST(Owners, Coroutine) {
  expect_impact({{"a.cpp", R"(
 #include <coroutine>
 struct Task {
   struct promise_type {
     Task get_return_object() { return {}; }
     std::suspend_never initial_suspend() noexcept { return {}; }
     std::suspend_never final_suspend() noexcept { return {}; }
     void return_void() {}
     void unhandled_exception() {}
   };
 };
 int g;
 Task work() {
   co_await std::suspend_always{};
-  g = 1;
+  g = 2; //!
   co_return;
 }
)"}},
                {.methods = "work", .fields = "g"});
}

} // namespace
} // namespace reex::test
