// Merges of invented shards. tests/runtime/shards_test.cpp merges real ones.
#include "report/merge.h"

#include <gtest/gtest.h>

#include "report/json.h"
#include "report/terminal.h"
#include "sample.h"

namespace reex {
namespace {

TestRun shard(std::uint32_t index, std::uint32_t count) {
  TestRun run = sample::passing_run();
  run.shard = {index, count};
  run.identity = {{"--bound", "2"}, {"build of the test", "1234"}};
  run.schedules = 10 * index;
  run.keep_going = 0;
  return run;
}

Outcome outcome(const std::string& text, std::uint64_t count, unsigned preemptions) {
  Outcome one;
  one.stdout_bytes = text;
  one.exit = 0;
  one.count = count;
  one.preemptions = preemptions;
  return one;
}

// Writes the shards as JSON, reads them again, and merges them.
std::vector<TestRun> merged(const std::vector<TestRun>& shards, bool partial = false) {
  std::vector<RunFile> files;
  for (std::size_t i = 0; i < shards.size(); ++i)
    files.push_back(parse_run_file(run_json({shards[i]}, {"0.1.0", "", false, {}}),
                                   std::string(1, static_cast<char>('a' + i)) + ".json"));
  return merge_shards(files, partial);
}

std::string refused(const std::vector<TestRun>& shards) {
  try {
    merged(shards);
  } catch (const MergeError& error) {
    return error.what();
  }
  return "";
}

TEST(Merge, AddsUpAndTakesTheFewestPreemptions) {
  TestRun one = shard(1, 2);
  one.outcomes = {outcome("same", 7, 2), outcome("caf\xe9", 2, 0),
                  outcome(std::string(5000, 'x') + "1", 1, 1)};
  TestRun two = shard(2, 2);
  two.outcomes = {outcome("caf\\xe9", 3, 1), outcome("same", 12, 1),
                  outcome(std::string(5000, 'x') + "2", 4, 1), outcome("caf\xe9", 1, 1)};
  const TestRun whole = merged({one, two}).at(0);
  EXPECT_EQ(whole.schedules, 30u);
  EXPECT_FALSE(whole.shard);
  ASSERT_EQ(whole.outcomes.size(), 5u); // outcomes that only look the same stay separate
  EXPECT_EQ(whole.outcomes[0].count, 19u);
  EXPECT_EQ(whole.outcomes[0].preemptions, 1u);
  EXPECT_EQ(whole.outcomes[1].count, 3u);
  EXPECT_EQ(whole.outcomes[1].preemptions, 0u);
  EXPECT_EQ(whole.outcomes[3].count, 3u);
}

TEST(Merge, ClaimsWhatAllClaim) {
  TestRun one = shard(1, 2);
  TestRun two = shard(2, 2);
  EXPECT_EQ(merged({one, two}).at(0).bound_completed, 2u);
  EXPECT_FALSE(merged({one, two}).at(0).exhausted);
  EXPECT_EQ(merged({one, two}).at(0).ended, EndReason::bound);
  one.exhausted = true;
  EXPECT_FALSE(merged({one, two}).at(0).exhausted);
  two.exhausted = true;
  EXPECT_TRUE(merged({one, two}).at(0).exhausted);
  two.exhausted = false;
  two.bound_completed = 1;
  two.ended = EndReason::budget;
  EXPECT_EQ(merged({one, two}).at(0).bound_completed, 1u);
  EXPECT_EQ(merged({one, two}).at(0).ended, EndReason::budget);
  two.bound_completed.reset();
  EXPECT_FALSE(merged({one, two}).at(0).bound_completed);
}

TEST(Merge, ClaimsNothingWithoutAllShards) {
  const TestRun part = merged({shard(1, 4), shard(3, 4)}, true).at(0);
  EXPECT_FALSE(part.bound_completed);
  EXPECT_FALSE(part.exhausted);
  EXPECT_EQ(part.ended, EndReason::partial);
  EXPECT_EQ(part.notes.back(), "of 4 shards 2 and 4 are missing");
  EXPECT_EQ(part.schedules, 40u);
}

TEST(Merge, ClaimsNothingWhereRacesDiffer) {
  TestRun one = shard(1, 2);
  one.promoted_accesses = {{"/t/queue", 16, "queue.cpp:3"}};
  TestRun two = shard(2, 2);
  two.promoted_accesses = {{"/t/queue", 16, "queue.cpp:3"}, {"/t/queue", 32, "queue.cpp:9"}};
  const TestRun whole = merged({one, two}).at(0);
  EXPECT_FALSE(whole.bound_completed);
  EXPECT_EQ(whole.ended, EndReason::races_differ);
  EXPECT_EQ(verdict_of(whole), Verdict::inconclusive);
  EXPECT_EQ(whole.promoted_accesses, two.promoted_accesses);
  one.promoted_accesses = {two.promoted_accesses[1], two.promoted_accesses[0]};
  EXPECT_EQ(merged({one, two}).at(0).bound_completed, 2u);
}

TEST(Merge, TellsTheFailureThatComesFirst) {
  TestRun one = shard(1, 2);
  one.failures = {sample::deadlock(), sample::use_after_free()};
  one.failures[0].order = {0, 0, 2, 0, 100, 1};
  one.failures[0].count = 5;
  one.failures[1].order = {0, 0, 1, 0, 99};
  TestRun two = shard(2, 2);
  two.failures = {sample::deadlock()};
  two.failures[0].order = {0, 0, 1, 0, 90, 1};
  two.failures[0].count = 2;
  two.failures[0].schedule = 77;
  TestRun whole = merged({one, two}).at(0);
  ASSERT_EQ(whole.failures.size(), 2u);
  EXPECT_EQ(whole.failures[0].schedule, 77u);
  EXPECT_EQ(whole.failures[0].count, 7u);
  EXPECT_EQ(whole.failures[0].how.trace.size(), sample::deadlock().how.trace.size());
  one.keep_going = two.keep_going = 1;
  whole = merged({one, two}).at(0);
  ASSERT_EQ(whole.failures.size(), 1u);
  EXPECT_EQ(whole.failures[0].schedule, 77u);
  EXPECT_EQ(whole.ended, EndReason::failure_limit);
}

TEST(Merge, KeepsWhatTheShardsSuppressed) {
  const Suppressed race = {"race", "0123456789ab", "data race on `n`", 3, "counts", ".reex.toml:1"};
  const Suppressed abort = {"abort", "ba9876543210", "it aborts", 9, "known", ".reex.toml:7"};
  TestRun one = shard(1, 2);
  one.suppressed = {race};
  TestRun two = shard(2, 2);
  two.suppressed = {race, abort};
  two.suppressed[0].schedule = 5;
  const TestRun whole = merged({one, two}).at(0);
  ASSERT_EQ(whole.suppressed.size(), 2u);
  EXPECT_EQ(whole.suppressed[0].schedule, 3u);
  EXPECT_EQ(whole.suppressed[0].reason, "counts");
  EXPECT_EQ(whole.suppressed[0].by, ".reex.toml:1");
  EXPECT_EQ(whole.suppressed[1].kind, "abort");
  EXPECT_EQ(whole.suppressed[1].key, "ba9876543210");
  EXPECT_EQ(whole.suppressed[1].message, "it aborts");
}

TEST(Merge, NamesWhatTheShardsSkipped) {
  const auto file = [](std::uint32_t index, const std::vector<std::string>& skipped) {
    return parse_run_file(run_json({shard(index, 2)}, {"0.1.0", "", false, {}, skipped}), "a.json");
  };
  EXPECT_EQ(skipped_tests({file(1, {"Pool.Stops", "Pool.Starts"}), file(2, {"Pool.Starts", "Pool.Waits"})}),
            (std::vector<std::string>{"Pool.Stops", "Pool.Starts", "Pool.Waits"}));
  EXPECT_EQ(skipped_tests({file(1, {}), file(2, {})}), std::vector<std::string>{});
}

// What a run was begun with counts, and what ended it there does not.
TEST(Merge, JoinsAnEarlierPartOfTheRun) {
  TestRun earlier = sample::passing_run();
  earlier.schedules = 7;
  earlier.wall_seconds = 2;
  earlier.gaps = {{"budget", "the budget ended", ""}};
  earlier.failures = {sample::deadlock()};
  TestRun run = sample::passing_run();
  run.schedules = 11;
  run.wall_seconds = 3;
  run.gaps = {};
  run.failures = {};
  const EndReason ended = run.ended;
  join_earlier(run, earlier);
  EXPECT_EQ(run.schedules, 18u);
  EXPECT_EQ(run.wall_seconds, 5);
  EXPECT_TRUE(run.gaps.empty());
  EXPECT_EQ(run.ended, ended);
  ASSERT_EQ(run.failures.size(), 1u);
  EXPECT_EQ(run.failures[0].key, sample::deadlock().key);
}

TEST(Merge, RefusesWhatIsNotOneRun) {
  EXPECT_EQ(refused({shard(1, 3), shard(3, 3)}),
            "shard 2 of 3 is missing: run it, or join what is there with --partial");
  EXPECT_EQ(refused({shard(1, 2), shard(1, 2)}), "a.json and b.json are both shard 1 of 2: give each once");
  EXPECT_EQ(refused({shard(1, 2), shard(2, 3)}),
            "b.json is of another run than a.json: the number of shards differs");
  TestRun other = shard(2, 2);
  other.identity[0].second = "3";
  EXPECT_EQ(refused({shard(1, 2), other}), "b.json is of another run than a.json: --bound differs");
  EXPECT_EQ(refused({shard(1, 2), sample::passing_run()}),
            "b.json is the report of a whole run: give those of runs with --shard");
}

// The JSON of a merge has the form of a run's, and the merge of one shard is that run.
TEST(Merge, OfOneShardIsTheRun) {
  TestRun run = shard(1, 1);
  run.failures = {sample::deadlock()};
  run.findings = {sample::race()};
  run.left.clear();
  TestRun whole = run;
  whole.shard.reset();
  run.ended = EndReason::bound;
  whole.ended = EndReason::bound;
  whole.executions_per_second = static_cast<double>(whole.schedules) / whole.wall_seconds;
  EXPECT_EQ(run_json({whole}, {"0.1.0", "", false, {}}), run_json(merged({run}), {"0.1.0", "", false, {}}));
  EXPECT_EQ(run_text(whole, sample::options()), run_text(merged({run}).at(0), sample::options()));
}

} // namespace
} // namespace reex
