// What the runs of a comparison are taken to say.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "report/compare/analysis.h"
#include "report/compare/comparison_json.h"
#include "report/compare/comparison_page.h"
#include "report/compare/comparison_text.h"
#include "report/compare/evaluation_report.h"
#include "report/compare/evaluation_tables.h"
#include "report/figures/figures.h"
#include "report/text/text_layout.h"
#include "tests/compare/sample_comparison.h"

namespace reex {
namespace {

TEST(Analysis, ComparesWithBasicAndRandom) {
  const Findings findings = analyse(sample_comparison());
  const Row* row = row_of(findings, "LOA", "auto");
  ASSERT_NE(row, nullptr);
  EXPECT_DOUBLE_EQ(row->default_order->value, 5);
  EXPECT_DOUBLE_EQ(row->default_against_basic->value, 20);
  EXPECT_EQ(row->seeds.size(), 4U); // without the default order
  EXPECT_DOUBLE_EQ(row->median->value, 9.5);
  EXPECT_DOUBLE_EQ(row->against_basic->a12, 1);
  EXPECT_NEAR(row->against_basic->test.p, 2.0 / 70, 1e-12);
  EXPECT_NEAR(row->against_basic->p_holm, 4.0 / 70, 1e-12); // of two heuristics
  EXPECT_GT(row->against_random->factor->value, 1);
  EXPECT_EQ(row_of(findings, "Basic", "auto")->against_basic, std::nullopt);
  EXPECT_EQ(findings.verdict.pays, Pays::yes);
  EXPECT_EQ(findings.verdict.headline, "THE CHANGE PAYS");
  EXPECT_FALSE(findings.shallow);
}

TEST(Analysis, CountsCensoredRunsAndLeavesOutThoseThatWereNotJudged) {
  const Findings findings = analyse(sample_comparison());
  const Row* la = row_of(findings, "LA", "none");
  EXPECT_EQ(la->not_found, 5U);
  EXPECT_EQ(la->median->known, Known::at_least);
  EXPECT_EQ(la->against_basic->factor->known, Known::at_most);
  const Row* random = row_of(findings, "random", "auto"); // the same under each reduction
  EXPECT_EQ(random->reduction, "any");
  EXPECT_EQ(random->seeds.size(), 4U);
  EXPECT_EQ(random->not_judged, 1U);
  EXPECT_EQ(random->not_found, 0U);
}

TEST(Analysis, CensorsASearchThatIsOverAtTheLimit) {
  const RunRecord over = not_found({"LA", "none", 0}, 17, "bound");
  const Observation one = observation_of(over, Measured::failure, 1000);
  EXPECT_TRUE(one.censored);
  EXPECT_DOUBLE_EQ(one.value, 1000);
  EXPECT_DOUBLE_EQ(observation_of(not_found({}, 17, "budget"), Measured::failure, 1000).value, 17);
}

TEST(Analysis, MeasuresRacesOnlyWhereNothingElseFails) {
  Comparison comparison = sample_comparison();
  comparison.runs[0].race = FirstFailure{2, "race", "r", "a data race"};
  EXPECT_EQ(measured_in(comparison), Measured::failure);
  for (RunRecord& run : comparison.runs) run.failure.reset();
  EXPECT_EQ(measured_in(comparison), Measured::race);
  EXPECT_EQ(found_by(comparison.runs[0], Measured::race)->schedule, 2U);
}

// Basic's run in default order had a round before that of the failure, and LA's runs, without a failure, too.
Comparison with_rounds() {
  Comparison comparison = sample_comparison();
  for (RunRecord& run : comparison.runs) {
    if (run.id == RunId{"Basic", "none", 0}) run.failure->schedule_in_round = 93;
    if (run.id.contestant == "LA" && run.id.reduction == "none") run.schedules_in_round = 640;
  }
  return comparison;
}

TEST(Analysis, CountsWithinARoundBesideAllRounds) {
  const Findings findings = analyse(with_rounds());
  const Row* basic = row_of(findings, "Basic", "none");
  ASSERT_TRUE(basic->in_round);
  EXPECT_EQ(basic->default_order->value, 100);
  EXPECT_EQ(basic->in_round->default_order->value, 93);
  EXPECT_EQ(quantile(basic->in_round->seeds, 0.5)->value, basic->median->value); // one round each
  const Row* la = row_of(findings, "LA", "none");
  EXPECT_EQ(la->in_round->default_order->value, 640);
  EXPECT_TRUE(la->in_round->default_order->censored);
  EXPECT_FALSE(row_of(findings, "Basic", "auto")->in_round);
  EXPECT_TRUE(has_rounds(findings));
  EXPECT_FALSE(has_rounds(analyse(sample_comparison())));
}

TEST(Verdict, ClaimsNothingWhereTheIntervalHoldsOne) {
  Comparison comparison = sample_comparison();
  for (RunRecord& run : comparison.runs)
    if (run.id.contestant == "LOA") run = found_at(run.id, 100 + 50 * run.id.seed);
  EXPECT_EQ(analyse(comparison).verdict.pays, Pays::no); // random needs less
  for (RunRecord& run : comparison.runs)
    if (run.id.contestant == "random") run = found_at(run.id, 90 + 60 * run.id.seed);
  const ComparisonVerdict verdict = analyse(comparison).verdict;
  EXPECT_EQ(verdict.pays, Pays::unclear);
  EXPECT_EQ(verdict.headline, "NOT DISTINGUISHABLE");
  std::erase_if(comparison.runs, [](const RunRecord& run) { return run.id.seed > 0; });
  EXPECT_EQ(analyse(comparison).verdict.headline, "NO VERDICT");
}

TEST(Figures, MarkBounds) {
  EXPECT_EQ(factor_text(Estimate{3.14, Known::at_least}), "≥3.1");
  EXPECT_EQ(factor_text(Estimate{0.25, Known::exactly}), "0.25");
  EXPECT_EQ(factor_text(Estimate{1, Known::unknown}), "?");
  EXPECT_EQ(factor_text(std::nullopt), "–");
  EXPECT_EQ(factor_text(1294.8), "1,295");
  EXPECT_EQ(schedules_text(Observation{10000, true}), ">10,000");
  EXPECT_EQ(schedules_text(Estimate{7.5}), "7.5");
  EXPECT_EQ(p_text(0.00001), "<0.0001");
}

TEST(ComparisonText, FitsATerminal) {
  const std::string text = comparison_text(sample_comparison(), Style(false));
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    EXPECT_LE(display_width(text.substr(begin, end - begin)), 80U) << text.substr(begin, end - begin);
    begin = end + 1;
  }
  EXPECT_NE(text.find("THE CHANGE PAYS queue\n"), std::string::npos);
  EXPECT_NE(text.find("random any seed 5 (status 70): the disk"), std::string::npos) << text;
  EXPECT_NE(text.find(">1,000"), std::string::npos);
  EXPECT_NE(text.find("/random cens.   cpu s"), std::string::npos) << text;
}

std::string row_of(const std::string& text, const std::string& name) {
  const std::size_t begin = text.find("\n  " + name + ' ') + 1;
  return text.substr(begin, text.find('\n', begin) - begin);
}

TEST(ComparisonText, LongNamesLeaveTheColumnsWhereTheyAre) {
  Comparison comparison = sample_comparison();
  comparison.contestants[1].name = "heuristic:auto";
  for (RunRecord& run : comparison.runs)
    if (run.id.contestant == "LA") run.id.contestant = "heuristic:auto";
  const std::string text = comparison_text(comparison, Style(false));
  EXPECT_EQ(display_width(row_of(text, "heuristic:auto")), display_width(row_of(text, "Basic "))) << text;
  EXPECT_TRUE(row_of(text, "heuristic:auto").starts_with("  heuristic:auto >1,000 ")) << text;
}

TEST(Reports, HaveTheCountsWithinARound) {
  const std::string text = comparison_text(with_rounds(), Style(false));
  EXPECT_TRUE(row_of(text, "in round").starts_with("  in round      93 ")) << text;
  EXPECT_NE(text.find("in round: without"), std::string::npos) << text;
  EXPECT_EQ(comparison_text(sample_comparison(), Style(false)).find("in round"), std::string::npos);
  const std::string page = comparison_page(with_rounds());
  EXPECT_NE(page.find("<h3>In rounds</h3>"), std::string::npos);
  EXPECT_NE(page.find("<td>none</td><td class=\"num\">100</td><td class=\"num\">93</td>"), std::string::npos);
  Evaluation evaluation;
  evaluation.subjects.push_back({with_rounds(), analyse(with_rounds())});
  const std::string markdown = evaluation_markdown(evaluation);
  EXPECT_NE(markdown.find("| queue | Basic | none | 100 | 93 |"), std::string::npos) << markdown;
  EXPECT_NE(markdown.find("| queue | LA | none | >1,000 | >640 |"), std::string::npos) << markdown;
}

TEST(ComparisonJson, IsReadBack) {
  const std::string path = testing::TempDir() + "comparison.json";
  const std::string text = comparison_json(with_rounds());
  std::ofstream(path) << text;
  EXPECT_EQ(comparison_json(read_comparison(path)), text);
  std::ofstream(path) << "{\"format\": 1}";
  EXPECT_THROW(read_comparison(path), ComparisonFileError);
  EXPECT_THROW(read_comparison(path + ".not"), ComparisonFileError);
}

TEST(RunLine, IsReadBack) {
  const RunRecord run = found_at({"LOA", "auto", 3}, 17);
  EXPECT_EQ(run_line(run_of_line(run_line(run))), run_line(run));
  EXPECT_EQ(run_line(run).find('\n'), std::string::npos);
  EXPECT_THROW(run_of_line("{\"strategy\": 1"), ComparisonFileError);
}

TEST(ComparisonPage, LoadsNothingAndHoldsTheRuns) {
  const std::string page = comparison_page(sample_comparison());
  EXPECT_EQ(page.find("http"), page.find("http-equiv")); // the first one, and no address
  EXPECT_EQ(page.find("http", page.find("http-equiv") + 4), std::string::npos);
  EXPECT_NE(page.find("<script type=\"application/json\" id=\"comparison\">"), std::string::npos);
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  EXPECT_NE(page.find("class=\"dot open\""), std::string::npos); // the runs of LA
  EXPECT_NE(page.find("not judged: the disk is full"), std::string::npos);
  EXPECT_EQ(page.find("a <b>"), std::string::npos);
}

Evaluation evaluation_of_two() {
  Evaluation evaluation;
  for (const char* label : {"queue", "pool"}) {
    Subject subject{sample_comparison(), {}};
    subject.comparison.label = label;
    if (std::string(label) == "pool")
      for (RunRecord& run : subject.comparison.runs)
        if (run.id.contestant == "random") run = found_at(run.id, 2);
    subject.findings = analyse(subject.comparison);
    evaluation.subjects.push_back(std::move(subject));
  }
  evaluation.published.emplace();
  evaluation.published->source = "a book";
  evaluation.published->basic = {{"queue", 4000}};
  evaluation.published->points = {{"queue", 148}};
  evaluation.published->threads = {{"queue", 4}};
  evaluation.published->sizes = {{"queue", {2, 10, 114}}};
  evaluation.published->speed_ups = {{"queue", {{"LOA", 12.5}}}};
  evaluation.published->geometric_means = {{"LOA", 5.3}};
  return evaluation;
}

TEST(Evaluation, HasMeansOfAllDeepAndPublishedSubjects) {
  const Evaluation evaluation = evaluation_of_two();
  EXPECT_EQ(all_of(evaluation).size(), 2U);
  ASSERT_EQ(deep_of(evaluation).size(), 1U);
  EXPECT_EQ(deep_of(evaluation)[0]->comparison.label, "queue");
  EXPECT_EQ(published_of(evaluation).size(), 1U);
  const MeanFactor mean = mean_speed_up(all_of(evaluation), "LOA", "none", Orders::default_order);
  EXPECT_DOUBLE_EQ(mean.value, 20);
  EXPECT_EQ(mean_text(mean), "20.0");
  EXPECT_EQ(mean_text(mean_speed_up(all_of(evaluation), "LA", "none", Orders::default_order)), "≤0.10");
  EXPECT_EQ(mean_text(mean_speed_up(all_of(evaluation), "FS", "none", Orders::default_order)),
            "–"); // took no part
}

TEST(Evaluation, TablesHaveACellForEachColumn) {
  const Evaluation evaluation = evaluation_of_two();
  const auto tables = evaluation_tables(evaluation);
  EXPECT_GE(tables.size(), 6U);
  for (const DocumentTable& table : tables)
    for (const DocumentTable::Line& line : table.lines)
      EXPECT_EQ(line.cells.size(), table.columns.size()) << table.title << ": " << line.cells.front();
  const std::string text = evaluation_markdown(evaluation);
  EXPECT_NE(text.find("| pool (shallow) |"), std::string::npos);
  EXPECT_NE(text.find("| queue | assertion | 3 | 4 | 2 | 10 | 114 | 12 | 148 | 4,000 |"), std::string::npos)
      << text.substr(0, 4000);
  EXPECT_NE(text.find("| *published* |"), std::string::npos);
  EXPECT_NE(text.find("*12.5*"), std::string::npos);
  EXPECT_NE(text.find("| queue | 100 |"), std::string::npos);
  EXPECT_NE(text.find("| 20.0† |"), std::string::npos);
  EXPECT_EQ(text.find("1.0†"), std::string::npos);
  EXPECT_NE(text.find("Not judged, and not counted: queue random"), std::string::npos);
  EXPECT_NE(evaluation_page(evaluation).find("shallow"), std::string::npos);
}

TEST(Evaluation, EffectsAreAgainstBothControls) {
  const Evaluation evaluation = evaluation_of_two();
  const auto basic = effect_of(evaluation, "LOA", "auto", &Row::against_basic);
  const auto random = effect_of(evaluation, "LOA", "auto", &Row::against_random);
  ASSERT_TRUE(basic && random);
  EXPECT_DOUBLE_EQ(basic->a12, 1);
  EXPECT_DOUBLE_EQ(random->a12, 0.5); // the one of queue is better, that of pool is worse
  EXPECT_FALSE(effect_of(evaluation, "FS", "auto", &Row::against_basic)); // took no part
  const std::string text = evaluation_markdown(evaluation);
  EXPECT_NE(text.find("## E2. Effect sizes and tests, against random"), std::string::npos);
  EXPECT_NE(text.find("on the 1 of these that are deep |"), std::string::npos) << text;
}

TEST(Evaluation, PageDrawsTheRunsOfEachSubject) {
  const std::string page = evaluation_page(evaluation_of_two());
  for (const char* text : {"<summary>queue</summary>", "<summary>pool (shallow)</summary>",
                           "schedules over the median of Basic", "A12 against random", "class=\"dot open\""})
    EXPECT_NE(page.find(text), std::string::npos) << text;
}

} // namespace
} // namespace reex
