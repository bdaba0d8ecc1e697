// Which runs a comparison makes, what it keeps of them, and how it reads them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "cli/compare/compare_plan.h"
#include "cli/compare/read_run.h"
#include "cli/compare/results_file.h"
#include "cli/terminal/command_error.h"
#include "tests/compare/sample_comparison.h"

namespace reex {
namespace {

TEST(Plan, HasEveryRunOnceAndOneOfEachFirst) {
  const auto contestants = contestants_named({});
  EXPECT_EQ(contestants.size(), 21U);
  const ComparisonPlan plan = plan_comparison(contestants, 6);
  EXPECT_EQ(plan.runs.size(), 17U * 2 * 7 + 4U * 6 + 21);
  EXPECT_EQ(std::set<RunId>(plan.runs.begin(), plan.runs.end()).size(), plan.runs.size());
  EXPECT_EQ(plan.first_round, 21U);
  EXPECT_EQ(plan.runs[0], (RunId{"Basic", "auto", 0}));
  // What samples has five seeds at least, and no order.
  const ComparisonPlan none = plan_comparison(contestants, 0);
  EXPECT_EQ(none.runs.size(), 17U * 2 + 4U * 5 + 21);
  for (const RunId& run : none.runs) {
    if (run.reduction == k_cost_run) continue;
    EXPECT_EQ(run.reduction == "any", run.seed > 0) << run.contestant;
  }
}

TEST(Plan, HasTheControlsAlways) {
  const auto chosen = contestants_named(parse_contestant_names("--contestants", "loa,pct"));
  ASSERT_EQ(chosen.size(), 4U);
  EXPECT_EQ(chosen[0].name, "Basic");
  EXPECT_EQ(chosen[1].name, "LOA");
  EXPECT_EQ(chosen[2].name, "random");
  EXPECT_EQ(chosen[3].name, "pct");
  EXPECT_THROW(parse_contestant_names("--contestants", "LOO"), UsageError);
}

TEST(Plan, KnowsHeuristicsTogether) {
  const auto chosen =
      contestants_named(parse_contestant_names("--contestants", "auto,heuristic:auto,loa+fs"));
  ASSERT_EQ(chosen.size(), 5U);
  EXPECT_EQ(contestants_named({"LOA+FS", "LA", "LOA+FS"}).size(), 4U);
  EXPECT_EQ(chosen[1].name, "LOA+FS");
  EXPECT_EQ(chosen[2].name, "heuristic:auto");
  EXPECT_EQ(heuristic_of(chosen[2].name), "auto");
  EXPECT_EQ(chosen[4].name, "auto");
  EXPECT_EQ(chosen[4].kind, ContestantKind::turns);
  EXPECT_EQ(contestants_named(parse_contestant_names("--contestants", "all,LA+FA")).size(), 22U);
  EXPECT_THROW(parse_contestant_names("--contestants", "LOA+LOO"), UsageError);
}

TEST(Plan, KnowsThoseThatKeepWhatIsIdle) {
  const auto chosen =
      contestants_named(parse_contestant_names("--contestants", "heuristic:auto+idle,la+fs+IDLE,LOA"));
  ASSERT_EQ(chosen.size(), 5U);
  EXPECT_EQ(chosen[2].name, "heuristic:auto+idle");
  EXPECT_EQ(heuristic_of(chosen[2].name), "auto+idle");
  EXPECT_EQ(contestant_of("auto+idle"), chosen[2].name);
  EXPECT_EQ(contestant_of("LOA+idle"), "LOA+idle");
  EXPECT_EQ(chosen[3].name, "LA+FS+idle");
  EXPECT_EQ(heuristic_of(chosen[3].name), "LA+FS+idle");
  for (const char* none :
       {"Basic+idle", "idle", "+idle", "heuristic:LOA", "heuristic:auto+LOA", "LOA+idle+LA"})
    EXPECT_THROW(parse_contestant_names("--contestants", none), UsageError) << none;
}

class InFolder : public testing::Test {
protected:
  InFolder() : m_folder(testing::TempDir() + "compare_runs") {
    std::filesystem::remove_all(m_folder);
    std::filesystem::create_directories(m_folder);
  }
  ~InFolder() override { std::filesystem::remove_all(m_folder); }

  void append(const std::string& text) { std::ofstream(m_folder + "/results.jsonl", std::ios::app) << text; }

  std::string m_folder;
};

using Results = InFolder;

TEST_F(Results, AreThereAgain) {
  {
    ResultsFile file(m_folder, false);
    EXPECT_FALSE(file.begun());
    file.begin({"2026-01-02T03:04:05Z", 12, "LOA+FA", {1.5, 3, 1}});
    RunRecord run = found_at({"LOA", "auto", 0}, 5);
    FailingRun failing;
    run.shown = shown_failure_of(failing.report());
    file.append(run);
    EXPECT_THROW(ResultsFile(m_folder, false), UsageError); // another comparison at the same time
  }
  append("{\"strategy\": \"LOA\", \"redu"); // killed in the middle of a line
  {
    ResultsFile file(m_folder, false);
    EXPECT_TRUE(file.begun());
    EXPECT_EQ(file.head().impacted_points, 12U);
    EXPECT_EQ(file.head().auto_heuristic, "LOA+FA");
    EXPECT_EQ(file.head().analysis.cached, 1U);
    ASSERT_EQ(file.runs().size(), 1U);
    EXPECT_EQ(file.runs()[0].failure->schedule, 5U);
    ASSERT_TRUE(file.runs()[0].shown); // what was kept of the failure, too
    EXPECT_EQ(file.runs()[0].shown->interleaving.rows.back().step.operation, "mutex unlock");
    file.append(found_at({"LOA", "auto", 1}, 6));
  }
  EXPECT_EQ(ResultsFile(m_folder, false).runs().size(), 2U);
  EXPECT_FALSE(ResultsFile(m_folder, true).begun()); // --fresh
  append("no JSON\n");
  EXPECT_THROW(ResultsFile(m_folder, false), UsageError);
}

// As `reex run` writes it, with what a comparison reads of it.
std::string report(const std::string& verdict, const std::string& failures, const std::string& gaps = "") {
  return R"({"verdict": ")" + verdict + R"(", "strategy": "icb", "seed": 3, "failures": [)" + failures +
         R"(], "schedules": 50, "pruned": 2, "ended": "failure_limit", "control": {"isolation": "restore", "threads": 3},
      "wall_seconds": 0.5, "executions_per_second": 100, "error": null, "gaps": [)" +
         gaps + R"(], "inconclusive": {"step_limit": 1, "watchdog": 0, "memory_limit": 0}})";
}

std::string failure(const std::string& kind, int schedule) {
  return R"({"schedule": )" + std::to_string(schedule) + R"(, "kind": ")" + kind +
         R"(", "key": "k", "message": "m"})";
}

class ReadRun : public InFolder {
protected:
  std::optional<RunRecord> read(const std::string& text, int status, bool steps_limited = false) {
    const std::string path = m_folder + "/run.json";
    std::filesystem::remove(path);
    if (!text.empty()) std::ofstream(path) << text;
    return read_run(
        {{"LOA", "auto", 3}, path, status << 8, "reex: what happened: what to do", 0.25, steps_limited});
  }
};

TEST_F(ReadRun, TellsFailuresFromRaces) {
  const auto run = read(
      report("failed", failure("assertion", 40) + "," + failure("race", 7) + "," + failure("deadlock", 30)),
      1);
  ASSERT_TRUE(run && run->judged);
  EXPECT_EQ(run->failure->schedule, 30U); // the first
  EXPECT_EQ(run->failure->kind, "deadlock");
  EXPECT_EQ(run->race->schedule, 7U);
  EXPECT_DOUBLE_EQ(run->processor_seconds, 0.25);
  EXPECT_EQ(run->isolation, "restore");
  EXPECT_EQ(run->threads, 3U);
}

TEST_F(ReadRun, KeepsWhatIsOfTheLastRound) {
  const auto one = read(report("failed", failure("assertion", 40)), 1);
  EXPECT_EQ(one->failure->schedule_in_round, 0U);
  EXPECT_FALSE(one->schedules_in_round);
  std::string text = report("failed", failure("assertion", 40));
  text.replace(text.find("\"schedule\": 40"), 0, "\"schedule_in_round\": 31, ");
  text.replace(text.find("\"schedules\": 50"), 0, "\"schedules_in_round\": 41, ");
  const auto several = read(text, 1);
  EXPECT_EQ(several->failure->schedule, 40U);
  EXPECT_EQ(several->failure->schedule_in_round, 31U);
  EXPECT_EQ(several->schedules_in_round, 41U);
}

TEST_F(ReadRun, NamesWhatCannotBeJudged) {
  const auto passed = read(report("passed", ""), 0);
  EXPECT_TRUE(passed->judged);
  EXPECT_FALSE(passed->failure);
  EXPECT_TRUE(read(report("no-failure-found", ""), 0)->judged);
  const std::string gap = R"({"kind": "step-limit", "effect": "verdict", "detail": "1 was cut"})";
  const auto cut = read(report("inconclusive", "", gap), 3);
  EXPECT_FALSE(cut->judged);
  EXPECT_EQ(cut->problem, "1 was cut");
  EXPECT_TRUE(read(report("inconclusive", "", gap), 3, true)->judged); // --max-steps was given
  const std::string other = R"({"kind": "not-repeated", "effect": "verdict", "detail": "not again"})";
  EXPECT_FALSE(read(report("inconclusive", "", gap + "," + other), 3, true)->judged);
  for (const auto& [verdict, status] : {std::pair{"not-started", 4}, {"uncontrolled", 5}, {"error", 70}})
    EXPECT_FALSE(read(report(verdict, ""), status)->judged) << verdict;
  const auto silent = read("", 70);
  EXPECT_EQ(silent->problem, "what happened: what to do");
  EXPECT_FALSE(silent->judged);
  EXPECT_FALSE(read("{}", 0)->judged);
}

TEST_F(ReadRun, EndsWhereNoRunCanBeMade) {
  EXPECT_THROW(read("", 2), CommandError);
  EXPECT_THROW(read("", 6), CommandError);
  EXPECT_FALSE(read("", 130)); // interrupted: not a run
  std::string portfolio = report("passed", "");
  portfolio.replace(portfolio.find("\"icb\""), 5, "\"portfolio of LOA, pos\"");
  EXPECT_THROW(read(portfolio, 0), UsageError);
}

} // namespace
} // namespace reex
