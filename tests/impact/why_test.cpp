// The chain from a code point back to the change.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "impact/chain_text.h"
#include "impact/print.h"
#include "tests/impact/scratch_project.h"

namespace reex::test {
namespace {

using Found = std::function<bool(const CodePoint&)>;

// The chain of the first point that is asked for, its texts joined by "; ".
std::string why(const Impact& impact, const Found& is_meant) {
  const auto point = std::find_if(impact.points.begin(), impact.points.end(), is_meant);
  if (point == impact.points.end()) return "no such point\n" + listing(impact);
  std::string text;
  for (const std::string& step : chain_texts(point->why, point->file, point->line))
    text += (text.empty() ? "" : "; ") + step;
  return text;
}
Found line(unsigned number) {
  return [number](const CodePoint& point) { return point.line == number; };
}
Found field(const std::string& name) {
  return [name](const CodePoint& point) { return point.field == name; };
}

const char* const k_before = R"(#include <mutex>
struct Counter {
  std::mutex m_mutex;
  int m_value = 0;
  int m_calls = 0;
  void reset() { m_calls = 0; }
};
void f(Counter& c) {
  c.m_mutex.lock();
  c.m_value = 1;
  c.m_mutex.unlock();
}
)";

TEST(Why, LockRegionAndItsField) {
  ScratchProject project;
  const Impact impact = project.impact({{"a.cpp", k_before}},
                                       {{"a.cpp", replaced(k_before, "c.m_value = 1", "c.m_value = 2")}});
  EXPECT_EQ(why(impact, line(10)), "changed");
  EXPECT_EQ(why(impact, line(9)), "in the lock region of c.m_mutex from line 9; line 10 changed");
  EXPECT_EQ(why(impact, field("m_value")), "accessed on line 10; changed");
  EXPECT_EQ(why(impact, field("m_mutex")),
            "accessed on line 9; in the lock region of c.m_mutex from line 9; line 10 changed");
}

TEST(Why, DeletedLock) {
  ScratchProject project;
  const std::string after = without(without(k_before, "m_mutex.lock"), "m_mutex.unlock");
  const Impact impact = project.impact({{"a.cpp", k_before}}, {{"a.cpp", after}});
  EXPECT_EQ(why(impact, line(8)), "deleted here: old line 9");
  EXPECT_EQ(why(impact, field("m_mutex")), "accessed on old line 9, removed");
  EXPECT_EQ(why(impact, field("m_value")), "accessed on line 9; deleted here: old line 9");
}

TEST(Why, Callee) {
  ScratchProject project;
  const std::string after = replaced(k_before, "c.m_value = 1;", "c.m_value = 1;\n  c.reset();");
  const Impact impact = project.impact({{"a.cpp", k_before}}, {{"a.cpp", after}});
  EXPECT_EQ(why(impact, field("m_calls")), "by Counter::reset, called on line 11; changed");
}

TEST(Why, ConstantOfAConstantInAnotherFile) {
  ScratchProject project;
  const std::string header = "constexpr int k_half = 1;\nconstexpr int k_whole = 2 * k_half;\n";
  const std::string user = "#include \"h.h\"\nint g;\nvoid f() { g = k_whole; }\n";
  const Impact impact = project.impact({{"h.h", header}, {"a.cpp", user}},
                                       {{"h.h", replaced(header, "= 1", "= 2")}, {"a.cpp", user}});
  EXPECT_EQ(why(impact, field("g")),
            "accessed on line 3; uses k_whole, declared on h.h:2; uses k_half, declared "
            "on h.h:1; changed");
}

TEST(Why, MacroOfAMacro) {
  ScratchProject project;
  const std::string header = "#define HALF \\\n  1\n#define WHOLE (2 * HALF)\n";
  const std::string user = "#include \"h.h\"\nint g;\nvoid f() { g = WHOLE; }\n";
  const Impact impact = project.impact({{"h.h", header}, {"a.cpp", user}},
                                       {{"h.h", replaced(header, "  1", "  2")}, {"a.cpp", user}});
  const auto use = [](const CodePoint& point) { return point.line == 3 && point.file == "a.cpp"; };
  EXPECT_EQ(why(impact, use), "uses macro WHOLE of h.h:3; uses macro HALF of h.h:1; h.h:2 changed");
}

TEST(Why, MovedAndDeclared) {
  ScratchProject project;
  const std::string before = "int g_a;\nvoid f() {\n  g_a = 1;\n}\n";
  const std::string after = "long g_a;\nvoid f() {\n}\nvoid g() {\n  g_a = 1;\n}\n";
  const Impact impact = project.impact({{"a.cpp", before}}, {{"a.cpp", after}});
  EXPECT_EQ(why(impact, line(5)), "moved from f, old line 3");
  EXPECT_EQ(why(impact, field("g_a")), "declared on line 1; changed");
}

TEST(Why, OfAPlace) {
  ScratchProject project;
  const std::string after = replaced(k_before, "c.m_value = 1", "c.m_value = 2");
  FakeRepository repository(project.root());
  repository.commit({{"a.cpp", k_before}});
  repository.commit({{"a.cpp", after}});
  project.write("a.cpp", after);
  project.write_compile_commands({"a.cpp"});
  ImpactRequest request;
  request.base = "HEAD~1";
  const auto asked = [&](unsigned number) {
    request.why = {"a.cpp", number};
    const std::string text = impact_table(collect_impact(request, repository));
    return text.substr(text.find('\n') + 2);
  };
  EXPECT_EQ(asked(9), R"(a.cpp:9
  line 9
    in the lock region of c.m_mutex from line 9
    line 10 changed
  method f
    in the lock region of c.m_mutex from line 9
    line 10 changed
  field Counter::m_mutex
    accessed on line 9
    in the lock region of c.m_mutex from line 9
    line 10 changed
)");
  EXPECT_EQ(asked(1), "a.cpp:1 is no impacted code point, and accesses no impacted field.\n");
}

} // namespace
} // namespace reex::test
