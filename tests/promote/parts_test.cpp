// The parts of a promotion that need no test: places, edits, differences, the reduction.
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "promotion/case_text.h"
#include "promotion/insertions.h"
#include "promotion/places.h"
#include "promotion/reduce.h"

namespace reex::promotion {
namespace {

const std::string k_text = "void f() {\n"         // line 1
                           "  first(1);\n"        // 2
                           "  if (ready)\n"       // 3
                           "    second(\"(\");\n" // 4
                           "  return;\n"          // 5
                           "}\n";

impact::Statement statement(const std::string& of, bool in_block = true, bool leaves = false) {
  const std::size_t begin = k_text.find(of);
  return {
      .begin = begin, .end = begin + of.size(), .in_block = in_block, .is_block = false, .leaves = leaves};
}

impact::SourceShape shape() {
  const std::size_t body = k_text.find('{');
  return {.statements = {{.begin = body, .end = k_text.rfind('}') + 1, .in_block = true, .is_block = true},
                         statement("first(1);"),
                         statement("if (ready)\n    second(\"(\");"),
                         statement("second(\"(\");", false),
                         statement("return;", true, true)},
          .functions = {{.name = "f", .begin = 0, .body = body, .end = k_text.rfind('}') + 1}}};
}

Place place(unsigned line, unsigned column) {
  const auto found = place_of("a.cpp", k_text, shape(), line, column);
  EXPECT_TRUE(found) << line << ":" << column;
  return found.value_or(Place{});
}

TEST(Places, AreTheInnermostStatements) {
  EXPECT_EQ(place(2, 8).begin, k_text.find("first"));
  EXPECT_EQ(place(3, 7).begin, k_text.find("if"));
  EXPECT_EQ(place(4, 5).begin, k_text.find("second"));
  EXPECT_FALSE(place(4, 5).in_block);
  EXPECT_FALSE(place(5, 3).allows(Side::after));
  EXPECT_TRUE(place(5, 3).allows(Side::before));
  EXPECT_TRUE(place(6, 1).closing);
  EXPECT_FALSE(place(6, 1).allows(Side::after));
  EXPECT_EQ(place(2, 0).begin, k_text.find("first")); // a line without a column
}

TEST(Places, AreNotOutsideOfFunctions) {
  EXPECT_FALSE(place_of("a.cpp", k_text, shape(), 1, 1));
  EXPECT_FALSE(place_of("a.cpp", k_text, shape(), 99, 1));
}

TEST(Names, AreOfWhatAStatementCalls) {
  EXPECT_EQ(name_of_statement("queue.add(1);"), "add");
  EXPECT_EQ(name_of_statement("const std::lock_guard lock(m_mutex);"), "lock");
  EXPECT_EQ(name_of_statement("++m_count;"), "m_count");
  EXPECT_EQ(name_of_statement("if (m_items.empty()) return;"), "empty");
  EXPECT_EQ(name_of_statement("EXPECT_EQ(value.load(), 2);"), "load");
  EXPECT_EQ(name_of_statement("}"), "step");
}

TEST(Edits, KeepIndentationAndGiveBraces) {
  const std::string made =
      with_insertions(k_text, "a.cpp",
                      {{place(2, 3), Side::before, "A;"},
                       {place(2, 3), Side::before, "B;"},
                       {place(2, 3), Side::after, "C;"},
                       {place(4, 5), Side::after, "D;"},
                       {place(6, 1), Side::before, "E;"},
                       {Place{.file = "other.cpp", .begin = 0, .end = 1}, Side::before, "F;"}});
  EXPECT_EQ(made, "void f() {\n"
                  "  A;\n"
                  "  B;\n"
                  "  first(1);\n"
                  "  C;\n"
                  "  if (ready)\n"
                  "    { second(\"(\"); D; }\n"
                  "  return;\n"
                  "  E;\n"
                  "}\n");
}

TEST(Edits, AddTheHeaderBehindTheOthers) {
  EXPECT_EQ(with_header("#include <a>\n#include \"b.h\"\n\nint x;\n"),
            "#include <a>\n#include \"b.h\"\n#include <reex/imunit.h>\n\nint x;\n");
  EXPECT_EQ(with_header("#pragma once\nint x;\n"), "#pragma once\n#include <reex/imunit.h>\nint x;\n");
  EXPECT_EQ(with_header("#include <reex/imunit.h>\n"), "#include <reex/imunit.h>\n");
  EXPECT_EQ(with_header("#include <a>\n#ifdef X\n#include <b>\n#endif\n"),
            "#include <a>\n#include <reex/imunit.h>\n#ifdef X\n#include <b>\n#endif\n");
}

// A plan of `count` orderings a<i>->b<i>, each with an inner and an outer place for its first half.
Plan plan_of(unsigned count) {
  Plan plan;
  for (unsigned i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    Constraint made;
    made.before = {{.event = {}, .word = "a" + number, .blocked = false, .thread = 0, .depth = 1},
                   {.event = {}, .word = "outer" + number, .blocked = false, .thread = 0, .depth = 0}};
    made.after = {{.event = {}, .word = "b" + number, .blocked = false, .thread = 1, .depth = 0}};
    plan.constraints.push_back(made);
  }
  return plan;
}

bool has(const std::string& schedule, const std::string& ordering) {
  return (", " + schedule + ",").find(", " + ordering + ",") != std::string::npos;
}

TEST(Reducing, LeavesOutWhatIsNotNeeded) {
  const Plan plan = plan_of(6);
  const Reduction reduction = reduce(plan, [](const std::string& schedule) {
    return has(schedule, "a1->b1") && has(schedule, "a4->b4") ? Quality::robust : Quality::none;
  });
  EXPECT_EQ(reduction.quality, Quality::robust);
  EXPECT_EQ(schedule_text(plan, reduction.selection), "a1->b1, a4->b4");
}

TEST(Reducing, MovesEventsOutwards) {
  const Plan plan = plan_of(2);
  const Reduction reduction = reduce(plan, [](const std::string& schedule) {
    const bool first = has(schedule, "a0->b0") || has(schedule, "outer0->b0");
    return first && has(schedule, "a1->b1") ? Quality::first : Quality::none;
  });
  EXPECT_EQ(schedule_text(plan, reduction.selection), "outer0->b0, a1->b1");
}

TEST(Reducing, PrefersTheRobust) {
  const Plan plan = plan_of(2);
  const Reduction reduction = reduce(plan, [](const std::string& schedule) {
    return has(schedule, "a0->b0") && has(schedule, "a1->b1") ? Quality::robust : Quality::first;
  });
  EXPECT_EQ(reduction.quality, Quality::robust);
  EXPECT_EQ(schedule_text(plan, reduction.selection), "a0->b0, a1->b1");
}

TEST(Reducing, SaysThatNothingReproduces) {
  const Reduction reduction = reduce(plan_of(3), [](const std::string&) { return Quality::none; });
  EXPECT_EQ(reduction.quality, Quality::none);
}

TEST(Cases, ThatCannotBeCopiedAreRefused) {
  const impact::SourceShape none;
  EXPECT_THROW(find_case("", none, Framework::googletest, "Suite.Name/0"), std::invalid_argument);
  EXPECT_THROW(find_case("", none, Framework::googletest, "Suite.Name"), std::invalid_argument);
  EXPECT_THROW(find_case("", none, Framework::boost_test, "a"), std::invalid_argument);
}

} // namespace
} // namespace reex::promotion
