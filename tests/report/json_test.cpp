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

TEST(RunJson, HasFindingsWithTheStacksOfBothSides) {
  TestRun run = sample::passing_run();
  run.findings = {sample::race(), sample::race()};
  run.findings[1].object.clear();
  run.rounds = 2;
  run.promoted = 3;
  const Json document = Json::parse(run_json({run}, context()));
  EXPECT_EQ(document["rounds"], 2);
  EXPECT_EQ(document["promoted"], 3);
  ASSERT_EQ(document["findings"].size(), 2U);
  const Json& race = document["findings"][0];
  EXPECT_EQ(race["key"], "966ddc66fefb");
  EXPECT_EQ(race["kind"], "data-race");
  EXPECT_EQ(race["message"], "data race on closed: thread 1 writes 1 byte, thread 2 reads 1 byte");
  EXPECT_EQ(race["object"], "closed");
  EXPECT_EQ(race["schedule"], 3);
  ASSERT_EQ(race["where"].size(), 2U);
  EXPECT_EQ(race["where"][0]["thread"], 1);
  EXPECT_EQ(race["where"][0]["state"], "writes 1 byte");
  EXPECT_EQ(race["where"][0]["line"], 41);
  ASSERT_EQ(race["where"][0]["frames"].size(), 2U);
  EXPECT_EQ(race["where"][0]["frames"][1]["function"], "operator()");
  EXPECT_EQ(race["where"][0]["frames"][1]["line"], 12);
  EXPECT_EQ(race["where"][1]["function"], "Queue<int>::take()");
  EXPECT_TRUE(document["findings"][1]["object"].is_null());
}

TEST(RunJson, PutsTheHistoryOfTheMemoryBehindTheThreads) {
  TestRun run = sample::passing_run();
  run.failures = {sample::use_after_free()};
  const Json where = Json::parse(run_json({run}, context()))["failures"][0]["where"];
  ASSERT_EQ(where.size(), 5U);
  EXPECT_EQ(where[0]["state"], "failed here");
  EXPECT_EQ(where[3]["state"], "freed here");
  EXPECT_EQ(where[3]["thread"], 1);
  EXPECT_EQ(where[3]["line"], 42);
  EXPECT_EQ(where[4]["state"], "allocated before the first thread");
  EXPECT_TRUE(where[4]["frames"].empty());
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
