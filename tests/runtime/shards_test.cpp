// The shards of a run, explored one by one and joined by `reex merge`, give the result of the whole run.
#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;

std::string corpus(const std::string& name) { return REEX_CORPUS_BINARIES "/" + name; }

struct Joined {
  Ran merge;
  nlohmann::json report;
  std::vector<std::string> files;
};

// Runs `count` shards in the folder and merges their reports.
Joined explore_shards(const Folder& folder, unsigned count, const Words& options, const Words& program,
                      const Words& of_merge = {}) {
  Joined joined;
  Words merge{"merge", "--format", "text,json:" + (folder / "merged.json").string()};
  merge.insert(merge.end(), of_merge.begin(), of_merge.end());
  for (unsigned i = 1; i <= count; ++i) {
    Words own{"--shard", std::to_string(i) + "/" + std::to_string(count)};
    own.insert(own.end(), options.begin(), options.end());
    const Ran ran = explore(folder, own, program);
    EXPECT_TRUE(ran.report.is_object()) << describe(ran);
    const std::string file = folder / ("part-" + std::to_string(i) + ".json");
    std::filesystem::rename(folder / "report.json", file);
    merge.push_back(file);
    joined.files.push_back(file);
  }
  joined.merge = command(folder, merge);
  joined.report = nlohmann::json::parse(read_file(folder / "merged.json"), nullptr, false);
  EXPECT_TRUE(joined.report.is_object()) << describe(joined.merge);
  return joined;
}

// The part of a report that is the same for the shards of a run and for the run itself. `counted`: each
// schedule is executed once.
nlohmann::json essence(const nlohmann::json& report, bool counted) {
  nlohmann::json kept;
  for (const char* member : {"strategy", "bound", "seed", "bound_completed", "rounds", "promoted", "shard"})
    kept[member] = report[member];
  kept["test"] = report["test"];
  for (const auto& [text, seen] : outcomes_of(report))
    kept["outcomes"].push_back({text, seen.preemptions, counted ? seen.count : 0});
  for (const auto& failure : report["failures"])
    kept["failures"][failure["key"].get<std::string>()] = counted ? failure["count"] : nlohmann::json();
  for (const auto& finding : report["findings"]) kept["findings"][finding["key"].get<std::string>()] = true;
  if (!counted) {
    // Without a bound, this is the most preemptions of the executed schedules. Of equivalent schedules, any
    // may be executed.
    if (report["bound"].is_null()) kept.erase("bound_completed");
    return kept;
  }
  for (const char* member : {"schedules", "exhausted", "ended"}) kept[member] = report[member];
  return kept;
}

struct Case {
  std::string name;
  Words options;
};

TEST(Shards, JoinToTheWhole) {
  const std::vector<Case> cases = {
      {"fails/philosophers/left_first", {"--bound", "2"}},
      {"passes/semaphore/ping_pong", {"--bound", "none", "--strategy", "dfs", "--jobs", "2"}},
      {"fails/lock_free/treiber_aba", {"--bound", "2", "--seed", "3"}},
      {"fails/race/lost_increment", {"--bound", "none"}},
      {"fails/semaphore/two_permits", {"--strategy", "random", "--schedules", "50"}},
  };
  for (const Case& one : cases)
    for (const std::string reduction : {"none", "auto"}) {
      Words options{"-k", "0", "--outcomes", "--reduction", reduction};
      options.insert(options.end(), one.options.begin(), one.options.end());
      const Folder folder;
      const Ran whole = explore(folder, options, {corpus(one.name)});
      ASSERT_TRUE(whole.report.is_object()) << describe(whole);
      const bool counted = reduction == "none";
      const Joined joined = explore_shards(folder, counted ? 3 : 2, options, {corpus(one.name)});
      EXPECT_EQ(essence(whole.report, counted), essence(joined.report, counted))
          << describe(whole) << describe(joined.merge);
      EXPECT_EQ(whole.status, joined.merge.status) << describe(joined.merge);
    }
}

// With -k 1, this is the failure that one run finds.
TEST(Shards, ReportTheFailureThatComesFirst) {
  for (const Case& one : {Case{"fails/philosophers/left_first", {}},
                          Case{"fails/lock_free/treiber_aba", {"--reduction", "none"}},
                          Case{"fails/queue/check_then_act", {"--bound", "3", "--strategy", "dfs"}},
                          Case{"fails/semaphore/two_permits", {"--strategy", "random"}}}) {
    const Folder folder;
    const Ran whole = explore(folder, one.options, {corpus(one.name)});
    ASSERT_EQ(whole.status, 1) << describe(whole);
    const Joined joined = explore_shards(folder, 3, one.options, {corpus(one.name)});
    EXPECT_EQ(joined.merge.status, 1) << describe(joined.merge);
    ASSERT_EQ(joined.report["failures"].size(), 1u) << describe(joined.merge);
    const auto& expected = whole.report["failures"][0];
    const auto& found = joined.report["failures"][0];
    for (const char* member : {"key", "message", "where", "switches", "preemptions"})
      EXPECT_EQ(expected[member], found[member]) << one.name << " " << member;
    EXPECT_EQ(joined.report["ended"], "failure_limit");
    const Ran replay = command(folder, {"replay", found["replay"]});
    EXPECT_EQ(replay.status, 1) << describe(replay);
    // The merge prints the report of a run, with its trace.
    EXPECT_NE(joined.merge.output.find("What happened, in order of execution"), std::string::npos)
        << describe(joined.merge);
  }
}

TEST(Shards, OfATestOfSeveral) {
  const Folder folder;
  const Words options{"-k", "0"};
  const Ran whole = explore(folder, options, {REEX_PROGRAMS "/suite"});
  const Joined joined = explore_shards(folder, 2, options, {REEX_PROGRAMS "/suite"});
  ASSERT_EQ(whole.report["runs"].size(), joined.report["runs"].size()) << describe(joined.merge);
  for (std::size_t i = 0; i < whole.report["runs"].size(); ++i)
    EXPECT_EQ(essence(whole.report["runs"][i], false), essence(joined.report["runs"][i], false));
  EXPECT_EQ(whole.status, joined.merge.status);
}

// A race that occurs in few schedules becomes scheduling points in some shards and not in others.
TEST(Shards, ThatFindDifferentRacesAreRunAgainWithThoseOfAll) {
  const Folder folder;
  const Words options{"-k", "0", "--outcomes", "--reduction", "none", "--bound", "2", "--races", "report"};
  const Words program{REEX_PROGRAMS "/rare_race"};
  const Ran whole = explore(folder, options, program);
  EXPECT_EQ(whole.report["rounds"], 2) << describe(whole);
  const Joined first = explore_shards(folder, 5, options, program);
  EXPECT_EQ(first.merge.status, 3) << describe(first.merge);
  EXPECT_NE(first.merge.output.find("run them again with --promote-from"), std::string::npos)
      << describe(first.merge);
  EXPECT_EQ(first.report["bound_completed"], nullptr) << describe(first.merge);
  EXPECT_EQ(first.report["exhausted"], false) << describe(first.merge);
  EXPECT_EQ(whole.report["promoted"], first.report["promoted"]) << describe(first.merge);
  EXPECT_EQ(first.report["ended"], "races_differ") << describe(first.merge);
  std::filesystem::rename(folder / "merged.json", folder / "races.json");
  Words again = options;
  again.insert(again.end(), {"--promote-from", folder / "races.json"});
  const Joined second = explore_shards(folder, 5, again, program);
  const Ran informed = explore(folder, again, program);
  EXPECT_EQ(essence(informed.report, true), essence(second.report, true)) << describe(second.merge);
  EXPECT_EQ(second.report["bound_completed"], 2) << describe(second.merge);
  EXPECT_EQ(second.report["rounds"], 1) << describe(second.merge);
  for (const auto& [text, seen] : outcomes_of(whole.report))
    EXPECT_EQ(outcomes_of(second.report)[text].preemptions, seen.preemptions) << text;
  EXPECT_EQ(second.merge.status, 0) << describe(second.merge);
}

TEST(Shards, ThatDoNotBelongTogetherAreRefused) {
  const Folder folder;
  const Words program{corpus("fails/queue/check_then_act")};
  const Joined joined = explore_shards(folder, 3, {"-k", "0"}, program);
  const auto merge = [&](Words words) {
    words.insert(words.begin(), "merge");
    return command(folder, words);
  };
  const auto expect = [](const Ran& ran, int status, const std::string& words) {
    EXPECT_EQ(ran.status, status) << describe(ran);
    EXPECT_NE(ran.output.find(words), std::string::npos) << describe(ran);
  };
  const auto& files = joined.files;
  expect(merge({files[0], files[2]}), 2, "shard 2 of 3 is missing");
  expect(merge({"--partial", files[0], files[2]}), 1, "of 3 shards 2 is missing");
  expect(merge({files[0], files[1], files[0]}), 2, "are both shard 1 of 3");
  const Folder other;
  const Joined different = explore_shards(other, 3, {"-k", "0", "--bound", "1"}, program);
  expect(merge({files[0], different.files[1], files[2]}), 2, "--bound differs");
  explore(folder, {}, program);
  std::filesystem::rename(folder / "report.json", folder / "whole.json");
  expect(merge({files[0], folder / "whole.json"}), 2, "report of a whole run");
}

// GoogleTest's variables divide the tests; --shard auto divides the schedules of each test.
TEST(Shards, TakeGoogleTestsVariables) {
  const Folder folder;
  const Words program{REEX_PROGRAMS "/suite"};
  const auto tests = [](const nlohmann::json& report) {
    std::vector<std::string> names;
    const nlohmann::json runs = report.contains("runs") ? report["runs"] : nlohmann::json{report};
    for (const auto& run : runs) {
      EXPECT_GT(run["control"]["scheduling_points"], 0) << run["test"];
      names.push_back(run["test"]["name"]);
    }
    return names;
  };
  const auto shard = [](int index, int total) {
    return Variables{{"GTEST_SHARD_INDEX", std::to_string(index)},
                     {"GTEST_TOTAL_SHARDS", std::to_string(total)}};
  };
  const Ran whole = explore(folder, {}, program);
  std::vector<std::string> every_third;
  for (std::size_t i = 1; i < whole.report["runs"].size(); i += 3)
    every_third.push_back(whole.report["runs"][i]["test"]["name"]);
  const Ran second = explore(folder, {}, program, shard(1, 3));
  EXPECT_EQ(tests(second.report), every_third) << describe(second);
  const Ran none = explore(folder, {}, program, shard(98, 99));
  EXPECT_EQ(none.status, 2) << describe(none);
  EXPECT_NE(none.output.find("no test is left for shard 99 of 99"), std::string::npos) << describe(none);
  const Ran automatic = explore(folder, {"--shard", "auto"}, program, shard(1, 3));
  EXPECT_EQ(tests(automatic.report), tests(whole.report)) << describe(automatic);
  EXPECT_EQ(automatic.report["runs"][0]["shard"]["index"], 2);
  EXPECT_EQ(automatic.report["runs"][0]["shard"]["count"], 3);
}

} // namespace
} // namespace reex::runtime_test
