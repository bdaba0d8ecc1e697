// What a comparison keeps of a failure, as JSON and drawn.
#include "report/compare/shown_failure.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "report/compare/analysis.h"
#include "report/compare/comparison_json.h"
#include "report/compare/comparison_page.h"
#include "report/compare/evaluation_report.h"
#include "tests/compare/sample_comparison.h"

namespace reex {
namespace {

Comparison with_shown() {
  FailingRun failing;
  Comparison comparison = sample_comparison();
  for (RunRecord& run : comparison.runs)
    if (run.failure && run.id.seed == 0) run.shown = shown_failure_of(failing.report());
  choose_shown(comparison);
  return comparison;
}

Comparison read_back(const std::string& json) {
  const std::string path = testing::TempDir() + "shown.json";
  std::ofstream(path) << json;
  return read_comparison(path);
}

TEST(ShownFailure, IsThatOfTheFirstRunThatFailed) {
  EXPECT_EQ(with_shown().shown->id, (RunId{"Basic", "auto", 0}));
  FailingRun failing;
  Comparison comparison = sample_comparison();
  comparison.runs[1].shown = shown_failure_of(failing.report());
  choose_shown(comparison);
  EXPECT_EQ(comparison.shown->id, (RunId{"LOA", "auto", 0}));
  EXPECT_FALSE(comparison.runs[1].shown);
  failing.failure().key = "another";
  Comparison other = sample_comparison();
  other.runs[0].shown = shown_failure_of(failing.report());
  choose_shown(other);
  EXPECT_FALSE(other.shown); // it is not the failure that is counted
}

TEST(ShownFailure, IsReadBackAndMayBeMissing) {
  const Comparison comparison = with_shown();
  const std::string json = comparison_json(comparison);
  const Comparison again = read_back(json);
  ASSERT_TRUE(again.shown);
  EXPECT_EQ(again.shown->id, comparison.shown->id);
  EXPECT_EQ(comparison_json(again), json);
  EXPECT_EQ(comparison_page(again), comparison_page(comparison));
  EXPECT_FALSE(read_back(comparison_json(sample_comparison())).shown);
}

TEST(ShownFailure, IsDrawnWithTheLinesOfTheChange) {
  const Comparison comparison = with_shown();
  const std::string page = comparison_page(comparison);
  for (const char* text :
       {"<li class=\"step c1 changed\" id=\"f-s20\"", "T0 preempted", "mutex unlock m&lt;1&gt;",
        "source &lt;40&gt;", "<li class=\"added passed\" id=\"f-l0\">", "a &lt;new&gt; line",
        "Impacted lines outside of the diff", "a &lt;b&gt; &amp;", "17 more steps"})
    EXPECT_NE(page.find(text), std::string::npos) << text;
  EXPECT_EQ(page.find("far away"), std::string::npos); // a hunk that was not passed
  EXPECT_EQ(comparison_page(sample_comparison()).find("class=\"trace\""), std::string::npos);
  Evaluation evaluation;
  evaluation.subjects = {{sample_comparison(), analyse(sample_comparison())},
                         {comparison, analyse(comparison)}};
  const std::string both = evaluation_page(evaluation);
  for (const char* text : {"<details><summary>queue: assertion</summary>", "id=\"s1-s20\""})
    EXPECT_NE(both.find(text), std::string::npos) << text;
  EXPECT_EQ(both.find("id=\"s0-"), std::string::npos);
}

TEST(ShownFailure, IsBounded) {
  FailingRun failing;
  std::vector<TraceStep>& trace = failing.failure().how.trace;
  trace.insert(trace.begin() + 5, 100'000, trace[5]);
  std::string added = "@@ -1,0 +1,5000 @@\n";
  for (int i = 0; i < 5000; ++i) added += "+a line\n";
  RunReport report = failing.report();
  ChangeView change = *report.change;
  change.changes[0].text = added;
  report.change = &change;
  const auto shown = shown_failure_of(report);
  ASSERT_TRUE(shown);
  EXPECT_LT(shown_failure_json(shown).dump().size(), 20'000U);
  const std::string page = shown_failure_html(*shown, "f", "");
  EXPECT_NE(page.find("more steps, not on this page"), std::string::npos);
  EXPECT_NE(page.find("<span class=\"ln\">12</span>"), std::string::npos);
  EXPECT_NE(page.find("<span class=\"ln\">40</span>"), std::string::npos);
  EXPECT_EQ(page.find("<span class=\"ln\">100</span>"), std::string::npos);
}

} // namespace
} // namespace reex
