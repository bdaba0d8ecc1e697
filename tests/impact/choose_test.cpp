// Heuristic auto: which heuristics go together for a change.
#include <gtest/gtest.h>

#include "impact/choose_heuristics.h"

namespace reex {
namespace {

CodePoint line_of(unsigned line) {
  CodePoint point;
  point.class_name = "Queue";
  point.line = line;
  point.why = {Cause{.reason = "changed", .name = "", .file = "", .line = line}};
  return point;
}

Impact impact_of(const std::string& removed, const std::string& added) {
  Impact impact;
  impact.points.push_back(line_of(7));
  Hunk hunk;
  hunk.removed = {removed};
  hunk.added = {added};
  FileChange change;
  change.hunks.push_back(hunk);
  impact.changes.push_back(change);
  return impact;
}

void add_field(Impact& impact, const std::string& reason) {
  CodePoint point = line_of(9);
  point.field = "m_items";
  point.why.insert(point.why.begin(), Cause{.reason = reason, .name = "", .file = "", .line = 9});
  impact.points.push_back(point);
}

TEST(ChooseHeuristics, GoesByLinesWithoutFields) {
  const HeuristicChoice choice = choose_heuristics(impact_of("m_ready.wait(lock);", ""));
  EXPECT_EQ(choice.names, "LOA");
  EXPECT_EQ(choice.why, "no field is impacted");
}

TEST(ChooseHeuristics, TakesFieldsForALock) {
  Impact impact = impact_of("", "m_count = 0;");
  add_field(impact, "accessed");
  EXPECT_EQ(choose_heuristics(impact).names, "LOA");
  add_field(impact, "lock region");
  EXPECT_EQ(choose_heuristics(impact).names, "LOA+FA");
  EXPECT_EQ(choose_heuristics(impact).why, "a lock changed");
}

TEST(ChooseHeuristics, TakesFieldsForAWait) {
  for (const char* line : {"m_ready.wait(lock);", "m_ready.notify_one();", "pthread_cond_signal(&ready);"})
    for (const bool removed : {false, true}) {
      Impact impact = removed ? impact_of(line, "") : impact_of("", line);
      add_field(impact, "accessed");
      EXPECT_EQ(choose_heuristics(impact).names, "LOA+FS") << line;
      add_field(impact, "lock region");
      EXPECT_EQ(choose_heuristics(impact).names, "LOA+FA+FS") << line;
    }
  Impact impact = impact_of("waiting = true;", "notify_one_more();");
  add_field(impact, "accessed");
  EXPECT_EQ(choose_heuristics(impact).names, "LOA");
}

TEST(ChooseHeuristics, LeavesTheStackOutForManyPoints) {
  Impact impact = impact_of("", "m_count = 0;");
  for (unsigned line = 1; line <= 59; ++line) impact.points.push_back(line_of(line));
  EXPECT_EQ(choose_heuristics(impact).names, "LOA");
  add_field(impact, "accessed");
  EXPECT_EQ(choose_heuristics(impact).names, "LA");
  EXPECT_EQ(choose_heuristics(impact).why, "many code points");
}

} // namespace
} // namespace reex
