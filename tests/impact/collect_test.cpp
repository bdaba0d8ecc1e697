// From changes to code points: the four analyses of section 4.2.1 (dissertation), with a small program for
// each.
#include <gtest/gtest.h>

#include "tests/impact/scratch_project.h"

namespace reex::test {
namespace {

const char* const k_counter = R"(#include <mutex>
class Counter {
public:
  void add(int n) {
    int twice = 2 * n;
    std::lock_guard<std::mutex> lock(m_mutex);
    m_value += n;
    m_calls++;
    (void)twice;
  }
  int value() const { return m_value; }
private:
  std::mutex m_mutex;
  int m_value = 0;
  int m_calls = 0;
  int m_other = 0;
};
int main() {
  Counter counter;
  counter.add(1);
  return counter.value();
}
)";

TEST(CollectImpact, DeletedLockGivesItsRegionItsMethodAndItsFields) {
  ScratchProject project;
  const std::string after = without(k_counter, "lock_guard");
  const Impact impact = project.impact({{"a.cpp", k_counter}}, {{"a.cpp", after}});
  for (const char* line : {"m_value += n", "m_calls++", "(void)twice"}) {
    EXPECT_TRUE(has_line(impact, "a.cpp", line_of(after, line))) << line << "\n" << listing(impact);
  }
  EXPECT_FALSE(has_line(impact, "a.cpp", line_of(after, "int main"))) << listing(impact);
  EXPECT_TRUE(has_method(impact, "Counter", "add")) << listing(impact);
  for (const char* field : {"m_mutex", "m_value", "m_calls"}) {
    EXPECT_TRUE(has_field(impact, "Counter", field)) << field << "\n" << listing(impact);
  }
  EXPECT_FALSE(has_field(impact, "Counter", "m_other"));
  EXPECT_TRUE(impact.notes.empty()) << listing(impact);
  EXPECT_FALSE(impact.no_points);
}

TEST(CollectImpact, AddedLockGivesItsRegion) {
  ScratchProject project;
  const Impact impact = project.impact({{"a.cpp", without(k_counter, "lock_guard")}}, {{"a.cpp", k_counter}});
  EXPECT_TRUE(has_line(impact, "a.cpp", line_of(k_counter, "lock_guard"))) << listing(impact);
  EXPECT_TRUE(has_line(impact, "a.cpp", line_of(k_counter, "m_calls++"))) << listing(impact);
  EXPECT_TRUE(has_field(impact, "Counter", "m_mutex")) << listing(impact);
}

TEST(CollectImpact, ChangeInsideARegionGivesTheRegion) {
  ScratchProject project;
  const std::string after = replaced(k_counter, "m_calls++", "m_calls += 2");
  const Impact impact = project.impact({{"a.cpp", k_counter}}, {{"a.cpp", after}});
  EXPECT_TRUE(has_line(impact, "a.cpp", line_of(after, "lock_guard"))) << listing(impact);
  EXPECT_TRUE(has_field(impact, "Counter", "m_value")) << listing(impact);
  EXPECT_FALSE(has_line(impact, "a.cpp", line_of(after, "int twice"))) << listing(impact);
}

TEST(CollectImpact, LockAndUnlockPairsAreRegions) {
  const std::string before = R"(#include <pthread.h>
#include <mutex>
std::mutex m; pthread_mutex_t p; int x, y, z;
void f(bool b) {
  m.lock();
  x++;
  if (b) { m.unlock(); return; }
  y++;
  m.unlock();
  z++;
}
void g() {
  pthread_mutex_lock(&p);
  x++;
  y++;
  pthread_mutex_unlock(&p);
}
)";
  struct Case {
    std::string after;
    std::vector<const char*> fields;
    const char* not_a_field;
  };
  const Case cases[] = {
      {replaced(replaced(before, "  m.lock();\n", ""), "m.unlock(); return;", "return;"),
       {"x", "y", "m"},
       "z"},
      {without(before, "pthread_mutex_lock"), {"x", "y", "p"}, "z"},
      {replaced(before, "z++", "z += 2"), {"z"}, "x"},
  };
  for (const Case& one : cases) {
    ScratchProject project;
    const Impact impact = project.impact({{"a.cpp", before}}, {{"a.cpp", one.after}});
    for (const char* field : one.fields)
      EXPECT_TRUE(has_field(impact, "", field)) << field << "\n" << listing(impact);
    EXPECT_FALSE(has_field(impact, "", one.not_a_field)) << listing(impact);
  }
}

TEST(CollectImpact, DeletionWithoutALockGivesItsPlace) {
  ScratchProject project;
  const std::string after = without(k_counter, "m_calls++");
  const std::string unlocked = without(k_counter, "lock_guard");
  const std::string both = without(unlocked, "m_calls++");
  const Impact impact = project.impact({{"a.cpp", unlocked}}, {{"a.cpp", both}});
  EXPECT_TRUE(has_line(impact, "a.cpp", line_of(both, "m_value += n"))) << listing(impact);
  EXPECT_TRUE(has_field(impact, "Counter", "m_calls")) << listing(impact);
  EXPECT_TRUE(has_method(impact, "Counter", "add")) << listing(impact);
}

TEST(CollectImpact, DeletedMethodGivesItsClass) {
  ScratchProject project;
  const std::string after = replaced(without(k_counter, "int value() const"), "counter.value()", "0");
  const Impact impact = project.impact({{"a.cpp", k_counter}}, {{"a.cpp", after}});
  EXPECT_TRUE(has_method(impact, "Counter", "")) << listing(impact);
  EXPECT_TRUE(has_field(impact, "Counter", "m_value")) << listing(impact);
}

TEST(CollectImpact, HeaderOnlyTemplateIsFoundThroughItsUsers) {
  const std::string header = R"(#pragma once
#include <deque>
#include <mutex>
template <class T> class Queue {
public:
  void put(const T& item) {
    std::scoped_lock lock(m_mutex);
    m_items.push_back(item);
    m_count++;
  }
private:
  std::mutex m_mutex;
  std::deque<T> m_items;
  int m_count = 0;
};
)";
  const std::string user = "#include \"lib/queue.h\"\nint main() { Queue<int> q; q.put(1); }\n";
  ScratchProject project;
  const std::string after = without(header, "scoped_lock");
  const Impact impact =
      project.impact({{"lib/queue.h", header}, {"a.cpp", user}}, {{"lib/queue.h", after}, {"a.cpp", user}});
  EXPECT_EQ(impact.units_parsed, 1U);
  EXPECT_TRUE(has_line(impact, "lib/queue.h", line_of(after, "m_items.push_back"))) << listing(impact);
  EXPECT_TRUE(has_method(impact, "Queue", "put")) << listing(impact);
  for (const char* field : {"m_mutex", "m_items", "m_count"}) {
    EXPECT_TRUE(has_field(impact, "Queue", field)) << field << "\n" << listing(impact);
  }
}

TEST(CollectImpact, RenamedFileIsComparedWithItsOldVersion) {
  ScratchProject project;
  const std::string after = without(k_counter, "lock_guard");
  // The fake repository finds a rename only if the files are equal. The header moves, and the source changes.
  const std::string header = "#pragma once\ninline int answer() { return 42; }\n";
  const std::string old_source = "#include \"old.h\"\n" + std::string(k_counter);
  const std::string new_source = "#include \"new.h\"\n" + after;
  const Impact impact =
      project.impact({{"old.h", header}, {"a.cpp", old_source}}, {{"new.h", header}, {"a.cpp", new_source}});
  EXPECT_TRUE(has_field(impact, "Counter", "m_mutex")) << listing(impact);
  EXPECT_EQ(impact.units_failed, 0U);
  EXPECT_TRUE(impact.notes.empty()) << listing(impact);
}

TEST(CollectImpact, LambdasBelongToTheirMethodToo) {
  const std::string before = R"(#include <thread>
#include <atomic>
struct Job {
  std::atomic<int> done{0};
  void start() {
    int local = 0;
    int copied = 1;
    std::thread t([&, copied] {
      local++;
      done++;
      (void)copied;
    });
    t.join();
  }
};
int main() { Job j; j.start(); }
)";
  ScratchProject project;
  const std::string after = replaced(replaced(before, "local++", "local += 2"), "done++", "done += 2");
  const Impact impact = project.impact({{"a.cpp", before}}, {{"a.cpp", after}});
  EXPECT_TRUE(has_method(impact, "Job", "start")) << listing(impact);
  EXPECT_TRUE(has_method(impact, "Job", "start::(lambda)")) << listing(impact);
  EXPECT_TRUE(has_field(impact, "Job", "done")) << listing(impact);
  EXPECT_TRUE(has_field(impact, "", "Job::start()::local")) << listing(impact);
  EXPECT_FALSE(has_field(impact, "", "Job::start()::copied")) << listing(impact);
  EXPECT_FALSE(has_line(impact, "a.cpp", line_of(after, "t.join"))) << listing(impact);
}

TEST(CollectImpact, NestedAndAnonymousClassesHaveTheirOwnNames) {
  const std::string before = R"(namespace { struct Hidden { int h = 0; void touch() { h = 1; } }; }
namespace app {
class Outer {
public:
  class Inner { public: void set() { m_in = 1; } int m_in = 0; };
  struct { int part; void go() { part = 1; } } m_nameless;
  int m_out = 0;
};
}
int main() { app::Outer::Inner i; i.set(); Hidden h; h.touch(); app::Outer o; o.m_nameless.go(); }
)";
  ScratchProject project;
  std::string after = replaced(before, "m_in = 1", "m_in = 2");
  after = replaced(after, "h = 1", "h = 2");
  after = replaced(after, "part = 1", "part = 2");
  const Impact impact = project.impact({{"a.cpp", before}}, {{"a.cpp", after}});
  EXPECT_TRUE(has_method(impact, "app::Outer::Inner", "set")) << listing(impact);
  EXPECT_TRUE(has_field(impact, "app::Outer::Inner", "m_in")) << listing(impact);
  EXPECT_TRUE(has_method(impact, "(anonymous namespace)::Hidden", "touch")) << listing(impact);
  EXPECT_TRUE(has_method(impact, "app::Outer::(anonymous)", "go")) << listing(impact);
  EXPECT_FALSE(has_field(impact, "app::Outer", "m_out")) << listing(impact);
}

TEST(CollectImpact, CalledFunctionsGiveTheirFieldsAcrossUnits) {
  const std::string header = R"(#pragma once
struct Pool { void take(); int m_free = 0; int m_used = 0; ~Pool(); int m_ended = 0; };
struct Guard { Guard(Pool& p); ~Guard(); Pool& m_pool; bool m_open; };
)";
  const std::string library = R"(#include "pool.h"
void Pool::take() { m_free--; }
Pool::~Pool() { m_ended = 1; }
Guard::Guard(Pool& p) : m_pool(p) { m_open = true; }
Guard::~Guard() { m_pool.m_used++; }
)";
  const std::string unrelated = "int unrelated() { return 1; }\n";
  const std::string before = "#include \"pool.h\"\nvoid use(Pool& p) {\n}\n";
  const std::string after = "#include \"pool.h\"\nvoid use(Pool& p) {\n  p.take();\n  Guard g(p);\n}\n";
  ScratchProject project;
  const Impact impact =
      project.impact({{"pool.h", header}, {"pool.cpp", library}, {"u.cpp", unrelated}, {"a.cpp", before}},
                     {{"pool.h", header}, {"pool.cpp", library}, {"u.cpp", unrelated}, {"a.cpp", after}});
  EXPECT_EQ(impact.units_parsed, 2U) << listing(impact);
  EXPECT_TRUE(has_field(impact, "Pool", "m_free")) << listing(impact);
  EXPECT_TRUE(has_field(impact, "Guard", "m_open")) << listing(impact);
  EXPECT_TRUE(has_field(impact, "Pool", "m_used")) << listing(impact);
  EXPECT_FALSE(has_field(impact, "Pool", "m_ended")) << listing(impact);
  EXPECT_TRUE(has_method(impact, "", "use")) << listing(impact);
}

TEST(CollectImpact, DependentMembersCountForAnyClass) {
  const std::string before = R"(struct A { int hits = 0; };
template <class T> void touch(T& x) {
  x.hits = 1;
}
int main() { A a; touch(a); }
)";
  ScratchProject project;
  const std::string after = replaced(before, "x.hits = 1", "x.hits = 2");
  const Impact impact = project.impact({{"a.cpp", before}}, {{"a.cpp", after}});
  bool flagged = false;
  for (const CodePoint& point : impact.points)
    flagged = flagged || (point.any_class && point.field == "hits");
  EXPECT_TRUE(flagged) << listing(impact);
}

TEST(CollectImpact, LibraryMembersBelongToTheUsersField) {
  const std::string before = R"(#include <queue>
#include <mutex>
struct Work { std::queue<int> m_queue; int take(); };
int Work::take() {
  return 0;
}
)";
  ScratchProject project;
  const std::string after = replaced(before, "return 0", "return m_queue.front()");
  const Impact impact = project.impact({{"a.cpp", before}}, {{"a.cpp", after}});
  EXPECT_TRUE(has_field(impact, "Work", "m_queue")) << listing(impact);
  std::size_t fields = 0;
  for (const CodePoint& point : impact.points) fields += point.field.empty() ? 0 : 1;
  EXPECT_EQ(fields, 1U) << listing(impact);
}

TEST(CollectImpact, ChangedDeclarationConcernsEveryUse) {
  ScratchProject project;
  const std::string after = replaced(k_counter, "int m_calls = 0", "long m_calls = 0");
  const Impact impact = project.impact({{"a.cpp", k_counter}}, {{"a.cpp", after}});
  EXPECT_TRUE(has_field(impact, "Counter", "m_calls")) << listing(impact);
  Frame frame;
  frame.file = project.path("a.cpp");
  frame.line = line_of(after, "m_calls++");
  frame.column = 5;
  EXPECT_TRUE((impact.matcher.frame_bits(frame) & k_match_field) != 0);
  EXPECT_TRUE((impact.matcher.frame_bits(frame) & k_match_class) != 0);
  EXPECT_FALSE((impact.matcher.frame_bits(frame) & k_match_line) != 0);
}

TEST(CollectImpact, ChangesWithoutCodePointsAreFlagged) {
  struct Case {
    const char* what;
    ScratchProject::Files before, after;
    bool no_cpp, no_points;
  };
  const Case cases[] = {
      {"documentation",
       {{"README", "a\n"}, {"a.cpp", "int x;\n"}},
       {{"README", "b\n"}, {"a.cpp", "int x;\n"}},
       true,
       false},
      {"comment", {{"a.cpp", "int x; // one\n"}}, {{"a.cpp", "int x; // two\n"}}, false, true},
      {"white space",
       {{"a.cpp", "int f() {\nreturn 1; }\n"}},
       {{"a.cpp", "int f() {\n  return 1; }\n"}},
       false,
       true},
      {"code", {{"a.cpp", "int f() { return 1; }\n"}}, {{"a.cpp", "int f() { return 2; }\n"}}, false, false},
  };
  for (const Case& one : cases) {
    ScratchProject project;
    const Impact impact = project.impact(one.before, one.after);
    EXPECT_EQ(impact.no_cpp_changes, one.no_cpp) << one.what << listing(impact);
    EXPECT_EQ(impact.no_points, one.no_points) << one.what << listing(impact);
  }
}

TEST(CollectImpact, DegradesWithANote) {
  FakeRepository repository("/nowhere");
  ScratchProject project;
  FakeRepository real(project.root());
  real.commit({{"a.cpp", "int f() { return 1; }\n"}});
  real.commit({{"a.cpp", "int f() { return 2; }\n"}});
  project.write("a.cpp", "int f() { return 2; }\n");
  ImpactRequest request;
  request.base = "HEAD~1";
  const Impact impact = collect_impact(request, real);
  EXPECT_TRUE(has_line(impact, "a.cpp", 1)) << listing(impact);
  ASSERT_FALSE(impact.notes.empty());
  EXPECT_NE(impact.notes[0].find("compile_commands.json"), std::string::npos);

  project.write_compile_commands({"a.cpp"});
  project.write("a.cpp", "#include \"missing.h\"\nint f() { return 2; }\n");
  real.set_working_tree({{"a.cpp", "#include \"missing.h\"\nint f() { return 2; }\n"}});
  const Impact broken = collect_impact(request, real);
  EXPECT_EQ(broken.units_failed, 1U) << listing(broken);
  EXPECT_TRUE(has_line(broken, "a.cpp", 2)) << listing(broken);
}

} // namespace
} // namespace reex::test
