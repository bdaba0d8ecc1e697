#include "report/json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "golden.h"
#include "sample.h"

namespace reex {
namespace {

using Json = nlohmann::json;

JsonContext context(bool several = false) { return {"0.1.0", std::string(40, 'a'), several, {}}; }

TEST(RunJson, HasTheMembersOfFormatOne) {
  TestRun run = sample::passing_run();
  run.failures.push_back(sample::deadlock());
  Outcome outcome;
  outcome.stdout_bytes = "caf\xc3\xa9 \xff\n";
  outcome.exit = 0;
  outcome.count = 3;
  Outcome hung;
  hung.failure = "deadlock";
  hung.stdout_bytes = std::string(5000, 'x');
  run.outcomes = {outcome, hung};
  expect_golden(REEX_GOLDEN_FOLDER, "run.json", run_json({run}, context()));
}

TEST(RunJson, PutsSeveralTestsUnderRuns) {
  TestRun first = sample::passing_run();
  first.name = "Queue.Drain";
  TestRun second = first;
  second.name = "Queue/0.Take/1";
  second.bound = std::nullopt;
  second.heuristic = "";
  const Json document = Json::parse(run_json({first, second}, context(true)));
  EXPECT_EQ(document["format"], 1);
  ASSERT_EQ(document["runs"].size(), 2U);
  EXPECT_EQ(document["runs"][1]["test"]["name"], "Queue/0.Take/1");
  EXPECT_TRUE(document["runs"][1]["bound"].is_null());
  EXPECT_TRUE(document["runs"][1]["heuristic"].is_null());
  EXPECT_FALSE(document.contains("schedules"));
}

TEST(RunJson, PutsTheOnlyExploredTestOfSeveralInBothPlaces) {
  const Json document = Json::parse(run_json({sample::passing_run()}, context(true)));
  EXPECT_EQ(document["schedules"], document["runs"][0]["schedules"]);
  EXPECT_FALSE(Json::parse(run_json({sample::passing_run()}, context())).contains("runs"));
}

TEST(RunJson, CutsLongOutputAndHashesAllOfIt) {
  TestRun run = sample::passing_run();
  Outcome exactly;
  exactly.stdout_bytes = std::string(4096, 'x');
  Outcome longer;
  longer.stdout_bytes = exactly.stdout_bytes + "y";
  run.outcomes = {exactly, longer};
  const Json outcomes = Json::parse(run_json({run}, context()))["outcomes"];
  EXPECT_EQ(outcomes[0]["stdout"], exactly.stdout_bytes);
  EXPECT_FALSE(outcomes[0].contains("stdout_sha256"));
  EXPECT_EQ(outcomes[1]["stdout"], exactly.stdout_bytes);
  EXPECT_EQ(outcomes[1]["stdout_sha256"].get<std::string>().size(), 64U);
}

} // namespace
} // namespace reex
