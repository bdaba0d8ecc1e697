// The table and the JSON of code points.
#include <gtest/gtest.h>

#include <sstream>

#include "impact/impact.h"
#include "impact/print.h"

namespace reex::test {
namespace {

Impact sample() {
  Impact impact;
  impact.base = std::string(40, 'a');
  const Cause changed{"changed", "", "src/queue.h", 7, false};
  const std::string deep = "a/rather/deep/folder/with/a/file.cpp";
  impact.points = {
      {"a::very::long::name::space::of::SomeClass",
       "and_a_long_method_name",
       12345,
       "",
       deep,
       {{"lock region", "m_mutex", deep, 12340, false}, changed}},
      {"Queue", "put", 7, "", "src/queue.h", {changed}},
      {"Queue",
       "",
       0,
       "m_size",
       "src/queue.h",
       {{"called", "Queue::grow", "src/queue.h", 7, false}, changed}},
      {"", "", 0, "hits", "src/queue.h", {{"deleted access", "", "src/old.h", 7, true}}, true},
  };
  impact.notes = {"something was degraded"};
  impact.units_parsed = 2;
  impact.units_failed = 1;
  impact.units_cached = 1;
  return impact;
}

TEST(PrintImpact, TableFitsEightyColumns) {
  const std::string table = impact_table(sample());
  EXPECT_EQ(table, R"(4 impacted code points: 2 lines, 2 fields

a/rather/deep/folder/with/a/file.cpp
  12345  ...ass::and_a_long_method_name  in the lock region of m_mutex from line
                                         12340, src/queue.h:7 changed
src/queue.h
      7  Queue::put                      changed
         Queue::m_size (field)           by Queue::grow, called on line 7,
                                         changed
         <any>::hits (field)             accessed on old src/old.h:7, removed
1 unit of 3 from the cache of an earlier run.
note: something was degraded
)");
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

TEST(PrintImpact, WiderTablesCutLess) {
  const std::string wide = impact_table(sample(), 200);
  EXPECT_NE(
      wide.find("  12345  a::very::long::name::space::of::SomeClass::and_a_long_method_name  in the lock "
                "region of m_mutex from line 12340, src/queue.h:7 changed\n"),
      std::string::npos)
      << wide;
  std::istringstream lines(impact_table(sample(), 100));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
}

TEST(PrintImpact, JsonHasFormatOne) {
  Impact impact = sample();
  impact.points = {impact.points[3]};
  EXPECT_EQ(impact_json(impact), R"({
  "format": 1,
  "base": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
  "head": null,
  "points": [
    {
      "class": "",
      "method": "",
      "file": "src/queue.h",
      "line": null,
      "field": "hits",
      "reason": "deleted access",
      "why": [
        {
          "reason": "deleted access",
          "name": "",
          "file": "src/old.h",
          "line": 7,
          "old": true
        }
      ],
      "any_class": true
    }
  ],
  "auto_heuristic": "LOA",
  "notes": [
    "something was degraded"
  ],
  "units": {
    "parsed": 2,
    "failed": 1,
    "cached": 1
  }
}
)");
}

TEST(PrintImpact, OneIsSingular) {
  Impact impact;
  CodePoint field;
  field.class_name = "Queue";
  field.field = "items";
  impact.points = {field};
  EXPECT_TRUE(impact_table(impact).starts_with("1 impacted code point: 1 field\n")) << impact_table(impact);
  CodePoint line;
  line.line = 7;
  CodePoint method;
  method.method = "put";
  impact.points = {line, method};
  EXPECT_TRUE(impact_table(impact).starts_with("2 impacted code points: 1 line, 1 method or class\n"))
      << impact_table(impact);
}

TEST(PrintImpact, NothingChanged) {
  Impact impact;
  impact.no_cpp_changes = true;
  EXPECT_EQ(impact_table(impact), "0 impacted code points\nNo C or C++ file changed.\n");
}

} // namespace
} // namespace reex::test
