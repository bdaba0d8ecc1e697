// Analysis 4 of section 4.2.1 (dissertation): the fields that directly called functions access.
#include <gtest/gtest.h>

#include <fstream>

#include "tests/impact/marked_commit.h"
#include "tests/impact/scratch_project.h"

namespace reex::test {
namespace {

TEST(Callees, OnlyDirectOnes) {
  expect_impact({{"a.cpp", R"(
 int g_one, g_two;
 void inner() { g_two = 1; }
 void outer() { g_one = 1; inner(); }
 void f() {
+  outer(); //!
 }
)"}},
                {.methods = "f", .fields = "g_one"});
}

TEST(Callees, InAnotherUnit) {
  expect_impact({{"h.h", " void touch();\n extern int g_far;\n"},
                 {"b.cpp", R"(
 #include "h.h"
 int g_far = 0;
 static int g_near = 0;
 void touch() { g_far = 1; }
 void other() { g_near = 1; }
)"},
                 {"a.cpp", R"(
 #include "h.h"
 void f() {
+  touch(); //!
 }
)"}},
                {.methods = "f", .fields = "g_far"});
}

TEST(Callees, VirtualCallByTheDeclaredType) {
  expect_impact({{"a.cpp", R"(
 struct Shape { virtual void draw() { m_base = 1; } virtual ~Shape() = default; int m_base = 0; };
 struct Circle : Shape { void draw() override { m_own = 1; } int m_own = 0; };
 void f(Shape& s) {
+  s.draw(); //!
 }
 void g(Circle& c) { c.draw(); }
)"}},
                {.methods = "f", .fields = "Shape::m_base"});
}

TEST(Callees, ConstructorsAndDestructorsOfAVariable) {
  expect_impact({{"a.cpp", R"(
 int g_made, g_gone, g_copied;
 struct Token {
   Token() { g_made++; }
   Token(const Token&) { g_copied++; }
   ~Token() { g_gone++; }
 };
 void f() {
+  Token token; //!
 }
)"}},
                {.methods = "f", .fields = "g_gone, g_made"});
}

TEST(Callees, DelegatedAndBaseConstructors) {
  expect_impact({{"a.cpp", R"(
 int g_base, g_full;
 struct Base { Base() { g_base = 1; } };
 struct Derived : Base {
   explicit Derived(int) { g_full = 1; }
-  Derived() {}
+  Derived() : Derived(1) {} //!
 };
)"}},
                {.methods = "Derived::Derived", .classes = "Derived", .fields = "g_full"});
}

TEST(Callees, Operators) {
  expect_impact({{"a.cpp", R"(
 struct Counter {
   int m_n = 0, m_adds = 0, m_reads = 0;
   Counter& operator++() { m_n++; return *this; }
   Counter& operator+=(int) { m_adds++; return *this; }
   operator int() const { return m_reads; }
 };
 int f(Counter& c) {
+  ++c; //!
+  c += 2; //!
   return 0;
 }
 int g(Counter& c) { return c; }
)"}},
                {.methods = "f", .fields = "Counter::m_adds, Counter::m_n"});
}

TEST(Callees, ImplicitConversion) {
  expect_impact({{"a.cpp", R"(
 struct Counter {
   int m_n = 0, m_reads = 0;
   operator int() const { return m_reads; }
 };
 int f(Counter& c) {
-  return 0;
+  return c; //!
 }
)"}},
                {.methods = "f", .fields = "Counter::m_reads"});
}

TEST(Callees, OfAStructuredBinding) {
  expect_impact({{"a.cpp", R"(
 int g_taken, g_gone;
 struct Pair { int m_first = 0; int m_second = 0; ~Pair() { g_gone++; } };
 Pair take() { g_taken++; return {}; }
 void f() {
+  auto [first, second] = take(); //!
 }
)"}},
                {.methods = "f", .fields = "g_gone, g_taken"});
}

TEST(Callees, OfALoopOverARange) {
  expect_impact({{"a.cpp", R"(
 int g_steps, g_looks, g_compared;
 struct Place {
   int& operator*() { return g_looks; }
   Place& operator++() { g_steps++; return *this; }
   bool operator!=(const Place&) const { return g_compared > 0; }
 };
 struct Row {
   Place begin() { m_begun = true; return {}; }
   Place end() { return {}; }
   bool m_begun = false;
 };
 void f(Row& row) {
+  for (int cell : row) {} //!
 }
)"}},
                {.methods = "f", .fields = "Row::m_begun, g_compared, g_looks, g_steps"});
}

TEST(Callees, OfADefaultArgument) {
  expect_impact({{"h.h", " int next();\n void log(int level, int number = next());\n"},
                 {"b.cpp", R"(
 #include "h.h"
 static int g_next = 0, g_level = 0;
 int next() { return ++g_next; }
 void log(int level, int) { g_level = level; }
)"},
                 {"a.cpp", R"(
 #include "h.h"
 void f() {
+  log(1); //!
 }
 void g() {
+  log(1, 2); //!
 }
)"}},
                {.methods = "f, g", .fields = "g_level, g_next"});
}

TEST(Callees, FieldsOfADefaultArgument) {
  expect_impact({{"a.cpp", R"(
 struct Settings { int m_limit = 0; } g_settings;
 int g_count, g_other;
 int more(int by = g_count) { return by; }
 int least(int limit = g_settings.m_limit, int by = more());
 void f() {
-  g_other = 1;
+  g_other = least(); //!
 }
)"}},
                {.methods = "f", .fields = "Settings::m_limit, g_count, g_other, g_settings"});
}

TEST(Callees, GivenArgumentInPlaceOfADefaultOne) {
  expect_impact({{"a.cpp", R"(
 int g_next = 0, g_level = 0;
 int next() { return ++g_next; }
 void log(int level, int = next()) { g_level = level; }
 void g() {
+  log(1, 2); //!
 }
)"}},
                {.methods = "g", .fields = "g_level"});
}

TEST(Callees, FunctionTemplate) {
  expect_impact({{"a.cpp", R"(
 int g_in, g_out;
 template <class T> void touch(T) { g_in = 1; }
 void f() {
   g_out = 1;
+  touch(1); //!
 }
)"}},
                {.methods = "f", .fields = "g_in"});
}

TEST(Callees, DependentCallMeansEveryMethodOfThatName) {
  expect_impact({{"a.cpp", R"(
 struct A { int m_a = 0; void close() { m_a = 1; } };
 struct B { int m_b = 0; void close() { m_b = 1; } void open() { m_o = 1; } int m_o = 0; };
 template <class T> void end(T& t) {
-  t.open();
+  t.close(); //!
 }
 void f() { A a; end(a); }
)"}},
                {.methods = "end", .fields = "<any>::close, <any>::open, A::m_a, B::m_b, B::m_o"});
}

TEST(Callees, DependentCallOfAnOperatorByItsName) {
  expect_impact({{"a.cpp", R"(
 struct A { int m_a = 0; void operator()() { m_a = 1; } A* operator->() { return this; } int m_to = 0; };
 template <class T> void run(T* t) {
+  t->operator()(); //!
 }
 void f() { A a; run(&a); }
)"}},
                {.methods = "run", .fields = "A::m_a"});
}

TEST(Callees, LambdaThatIsCalledByItsName) {
  expect_impact({{"a.cpp", R"(
 int g_in, g_out;
 void f() {
   auto work = [] { g_in = 1; };
   g_out = 1;
+  work(); //!
 }
)"}},
                {.methods = "f", .fields = "g_in"});
}

TEST(Callees, FunctionThatIsStartedOrHandedOn) {
  expect_impact({{"a.cpp", R"(
 #include <functional>
 #include <mutex>
 #include <thread>
 int g_turns, g_state, g_bound, g_stopped;
 void loop() { g_turns = 1; }
 void init() { g_state = 1; }
 void stop() { g_stopped = 1; }
 struct Worker { void work() { g_bound = 1; } } g_worker;
 std::once_flag once;
 void at_end(void (*)());
 void run() {
-  at_end(&stop);
+  std::thread thread(&loop); //!
+  std::call_once(once, init); //!
+  auto job = std::bind(&Worker::work, &g_worker); //!
 }
)"}},
                {.methods = "run", .fields = "g_bound, g_state, g_stopped, g_turns, g_worker, once"});
}

TEST(Callees, OneOfTwoLambdasOfAnInlineFunction) {
  expect_impact({{"a.cpp", R"(
 int g_one, g_two;
 inline void f() {
   auto one = [] { g_one = 1; };
   auto two = [] { g_two = 1; };
+  two(); //!
   one();
 }
)"}},
                {.methods = "f", .fields = "g_two"});
}

TEST(Callees, MethodOfADependentMember) {
  expect_impact({{"a.cpp", R"(
 #include <atomic>
 template <class T> struct Slot {
   std::atomic<T> m_state{};
   int m_other = 0;
   void set() {
-    m_state.fetch_add(1);
+    m_state.fetch_add(2); //!
   }
 };
)"}},
                {.methods = "Slot::set", .classes = "Slot", .fields = "Slot::m_state"});
}

TEST(Callees, DeletedCall) {
  expect_impact({{"a.cpp", R"(
 int g_in, g_out;
 void touch() { g_in = 1; }
 void f() { //!
-  touch();
   g_out = 1; //!
 }
)"}},
                {.methods = "f", .fields = "g_in, g_out"});
}

TEST(Callees, DeletedCalleeOfADeletedCall) {
  expect_impact({{"a.cpp", R"(
 int g_in, g_out;
-void touch() { g_in = 1; }
 void f() { //!
-  touch();
   g_out = 1; //!
 }
)"}},
                {.methods = "f", .fields = "g_in, g_out"});
}

TEST(Callees, StaticMethodAndFunctionOfANamespace) {
  expect_impact({{"a.cpp", R"(
 namespace app { int g_n; struct Tool { static int s_uses; static void use() { s_uses++; } }; void go() { g_n = 1; } }
 int app::Tool::s_uses = 0;
 void f() {
+  app::Tool::use(); //!
+  app::go(); //!
 }
)"}},
                {.methods = "f", .fields = "app::Tool::s_uses, app::g_n"});
}

TEST(Callees, UnderEachOfTwoCommands) {
  ScratchProject project;
  const std::string before = R"(int g_plain, g_debug;
#ifdef DEBUG
inline void note() { g_debug = 1; }
#else
inline void note() { g_plain = 1; }
#endif
void f() {
}
)";
  const std::string after = replaced(before, "void f() {\n", "void f() {\n  note();\n");
  FakeRepository repository(project.root());
  repository.commit({{"a.cpp", before}});
  repository.commit({{"a.cpp", after}});
  project.write("a.cpp", after);
  std::ofstream(project.path("compile_commands.json"))
      << "[{\"directory\": \"" << project.root()
      << "\", \"file\": \"a.cpp\", \"command\": \"g++ -c a.cpp\"},\n"
      << " {\"directory\": \"" << project.root()
      << "\", \"file\": \"a.cpp\", \"command\": \"g++ -DDEBUG -c a.cpp\"}]\n";
  ImpactRequest request;
  request.base = "HEAD~1";
  const Impact impact = collect_impact(request, repository);
  EXPECT_TRUE(has_field(impact, "", "g_plain")) << listing(impact);
  EXPECT_TRUE(has_field(impact, "", "g_debug")) << listing(impact);
}

} // namespace
} // namespace reex::test
