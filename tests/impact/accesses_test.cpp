// Analysis 3 of section 4.2.1 (dissertation): the fields that impacted lines access.
#include <gtest/gtest.h>

#include "tests/impact/marked_commit.h"

namespace reex::test {
namespace {

TEST(Accesses, FieldOfABaseClassBelongsToIt) {
  expect_impact({{"a.cpp", R"(
 struct Base { int m_count = 0; int m_rest = 0; };
 struct Middle : Base {};
 struct Derived : Middle {
   void go() {
-    m_count = 1;
+    m_count = 2; //!
   }
 };
)"}},
                {.methods = "Derived::go", .classes = "Derived", .fields = "Base::m_count"});
}

TEST(Accesses, FieldOfADependentBase) {
  expect_impact({{"a.cpp", R"(
 template <class T> struct Base { T m_count{}; };
 template <class T> struct Derived : Base<T> {
   void go() {
-    this->m_count = 1;
+    this->m_count = 2; //!
   }
 };
 void f() { Derived<int>().go(); }
)"}},
                {.methods = "Derived::go", .classes = "Derived", .fields = "<any>::m_count"});
}

TEST(Accesses, Atomics) {
  expect_impact({{"a.cpp", R"(
 #include <atomic>
 struct Flags {
   std::atomic<bool> m_ready{false};
   std::atomic<int> m_count{0};
   std::atomic<int> m_other{0};
   void go() {
-    m_ready.store(true);
+    m_ready.store(true, std::memory_order_release); //!
-    m_count++;
+    m_count += 2; //!
   }
 };
)"}},
                {.methods = "Flags::go", .classes = "Flags", .fields = "Flags::m_count, Flags::m_ready"});
}

TEST(Accesses, ConstructorsInitializers) {
  expect_impact({{"a.cpp", R"(
 int g_next = 0;
 struct Id {
   explicit Id(int n)
     : m_first(n),
-      m_second(0) {}
+      m_second(g_next) {} //!
   int m_first, m_second;
 };
)"}},
                {.methods = "Id::Id", .classes = "Id", .fields = "Id::m_first, Id::m_second, g_next"});
}

// The constructor that runs it is not declared: compilers put its code on the line of the class.
TEST(Accesses, DefaultMemberInitializer) {
  expect_impact({{"a.cpp", R"(
 int g_next = 0;
 struct Id { //!
-  int m_first = 1;
+  int m_first = g_next; //!
   int m_second = 2;
 };
)"}},
                {.classes = "Id", .fields = "Id::m_first, g_next"});
}

TEST(Accesses, StaticAndGlobalVariables) {
  expect_impact({{"a.cpp", R"(
 namespace app { int g_hits = 0; const int k_limit = 3; thread_local int t_mine = 0; }
 struct One { static int s_all; };
 int One::s_all = 0;
 int f() {
   static int calls = 0;
-  return 0;
+  return ++calls + app::g_hits + One::s_all + app::k_limit + app::t_mine; //!
 }
)"}},
                {.methods = "f", .fields = "One::s_all, app::g_hits, f()::calls"});
}

TEST(Accesses, ReferencesLeadToTheirField) {
  expect_impact({{"a.cpp", R"(
 struct Box { int m_a = 0; int m_b = 0; };
 void f(Box& box) {
   int& alias = box.m_a;
-  alias = 1;
+  alias = 2; //!
 }
)"}},
                {.methods = "f", .fields = "Box::m_a"});
}

TEST(Accesses, LambdaCapturesByReferenceAndByInitializer) {
  expect_impact({{"a.cpp", R"(
 struct Sum { int m_sum = 0; int m_n = 0; };
 void f(Sum& s) {
   int shared = 0;
   int own = 0;
   auto work = [&shared, own, &total = s.m_sum] {
-    shared = own;
+    shared = own + 1; //!
-    total = 1;
+    total = 2; //!
   };
   work();
 }
)"}},
                {.methods = "f, f::(lambda)", .fields = "Sum::m_sum, f()::shared"});
}

TEST(Accesses, RangeForOverAField) {
  expect_impact({{"a.cpp", R"(
 #include <vector>
 struct Cell { int m_value = 0; };
 struct Grid {
   std::vector<Cell> m_cells;
   void go() {
-    for (Cell& cell : m_cells) {}
+    for (Cell& cell : m_cells) cell.m_value = 1; //!
   }
 };
)"}},
                {.methods = "Grid::go", .classes = "Grid", .fields = "Cell::m_value, Grid::m_cells"});
}

TEST(Accesses, StructuredBindings) {
  expect_impact({{"a.cpp", R"(
 #include <map>
 struct Range { int m_low = 0; int m_high = 0; };
 struct Table {
   Range m_range;
   Range m_copied;
   std::map<int, int> m_map;
   std::map<int, int> m_walked;
   int f() {
     auto& [low, high] = m_range;
-    return low;
+    return low + 1; //!
   }
   void g() {
+    auto [first, last] = m_copied; //!
+    auto [place, is_new] = m_map.insert({1, 2}); //!
   }
   void h() {
     for (auto& [key, value] : m_walked) {
-      value = 1;
+      value = 2; //!
     }
   }
 };
)"}},
                {.methods = "Table::f, Table::g, Table::h",
                 .classes = "Table",
                 .fields = "Range::m_low, Table::m_copied, Table::m_map, Table::m_range, Table::m_walked"});
}

TEST(Accesses, MacroThatAccessesAField) {
  expect_impact({{"a.cpp", R"(
 struct Log { int m_lines = 0; };
 Log g_log;
-#define NOTE() g_log.m_lines++
+#define NOTE() g_log.m_lines += 2 //!
 void f() {
   NOTE(); //!
 }
 void g() {
   g_log.m_lines = 0;
 }
)"}},
                {.methods = "f", .fields = "Log::m_lines, g_log"});
}

TEST(Accesses, FieldThroughAnAnonymousUnion) {
  expect_impact({{"a.cpp", R"(
 struct Word {
   union { int m_number; float m_real; };
   int m_kind;
   void go() {
-    m_number = 1;
+    m_number = 2; //!
   }
 };
)"}},
                {.methods = "Word::go", .classes = "Word", .fields = "Word::(anonymous)::m_number"});
}

TEST(Accesses, InitializersOfASwitchAndOfALoop) {
  expect_impact({{"a.cpp", R"(
 #include <vector>
 struct Machine {
   int m_state = 0, m_step = 0, m_out = 0;
   std::vector<int> m_items;
   void f(int n) {
-    switch (int state = n; state) {
+    switch (int state = m_state; state) { //!
     case 1:
       m_out = state;
     }
-    for (int step = n; int item : m_items)
+    for (int step = m_step; int item : m_items) //!
       m_out = item * step;
   }
 };
)"}},
                {.methods = "Machine::f",
                 .classes = "Machine",
                 .fields = "Machine::m_items, Machine::m_state, Machine::m_step"});
}

TEST(Accesses, HeadOfALoopOverSeveralLines) {
  expect_impact({{"a.cpp", R"(
 #include <vector>
 std::vector<int> g_items;
 int g_out;
 void f() {
-  for (int item :
+  for (auto item : //!
        g_items) {
     g_out = item;
   }
 }
)"}},
                {.methods = "f", .fields = "g_items"});
}

TEST(Accesses, DesignatedInitializer) {
  expect_impact({{"a.cpp", R"(
 struct Limits { int m_low = 0, m_high = 9; };
 void use(const Limits&);
 void f(int n) {
-  use(Limits{.m_high = n});
+  use(Limits{.m_high = n + 1}); //!
 }
)"}},
                {.methods = "f", .fields = "Limits::m_high"});
}

TEST(Accesses, NoneWhereNothingIsEvaluated) {
  expect_impact({{"a.cpp", R"(
 struct Block { int m_bytes[8]; int m_used = 0; } g_block;
 unsigned long f() {
   g_block.m_used = 1;
+  return sizeof(g_block.m_bytes) + alignof(Block); //!
 }
)"}},
                {.methods = "f"});
}

TEST(Accesses, DeletedAccess) {
  expect_impact({{"a.cpp", R"(
 struct Pair { int m_a = 0; int m_b = 0; int m_c = 0; };
 void f(Pair& p) {
   p.m_a = 1; //!
-  p.m_b = 1;
   int local = 0; //!
   p.m_c = local;
 }
)"}},
                {.methods = "f", .fields = "Pair::m_a, Pair::m_b"});
}

TEST(Accesses, StatementOverSeveralLines) {
  expect_impact({{"a.cpp", R"(
 struct Pair { int m_a = 0; int m_b = 0; int m_c = 0; };
 int f(Pair& p) {
   p.m_c = 0;
   return p.m_a +
-         1 +
+         2 + //!
          p.m_b;
 }
)"}},
                {.methods = "f", .fields = "Pair::m_a, Pair::m_b"});
}

// What was two memory locations is one.
TEST(Accesses, SeparatorOfBitFields) {
  expect_impact({{"a.cpp", R"(
 struct Flags {
   unsigned m_first : 3;
   unsigned m_left : 4;
-  unsigned : 0;
   unsigned m_right : 4;
   unsigned m_last;
 };
 void f(Flags& flags) { flags.m_left = 1; }
)"}},
                {.classes = "Flags", .fields = "Flags::m_left, Flags::m_right"});
  expect_impact({{"a.cpp", R"(
 struct Flags {
   unsigned m_left : 4;
-  unsigned : 2;
   unsigned m_right : 4;
 };
)"}},
                {.classes = "Flags"});
}

TEST(Accesses, PointersToMembersAndArrays) {
  expect_impact({{"a.cpp", R"(
 struct Slot { int m_key = 0; int m_value = 0; };
 struct Map { Slot m_slots[4]; int m_size = 0; };
 int f(Map* map, Slot* slot) {
   int Slot::* which = &Slot::m_key;
-  return map->m_slots[1].m_value;
+  return map->m_slots[2].m_value + slot->*which; //!
 }
)"}},
                {.methods = "f", .fields = "Map::m_slots, Slot::m_value"});
}

TEST(Accesses, MemberOfAListOfMacros) {
  expect_impact({{"fields.def", R"(
-FIELD(hits, long)
+FIELD(hits, int) //!
 FIELD(misses, int)
)"},
                 {"a.cpp", R"(
 struct Stats {
 #define FIELD(name, type) type name = 0;
 #include "fields.def"
 };
 Stats stats;
 void f() { stats.hits += 1; }
)"}},
                {.fields = "Stats::hits"});
}

} // namespace
} // namespace reex::test
