#include "cli/verdict/judge_findings.h"

#include <gtest/gtest.h>

#include <utility>

#include "cli/receipts/known_races.h"
#include "heuristics/match_bits.h"
#include "reex/run/verdict.h"

namespace reex {
namespace {

Frame frame(const std::string& function, unsigned line) {
  Frame at;
  at.function = function;
  at.file = "/project/queue.h";
  at.line = line;
  return at;
}

Finding race(const std::string& key, unsigned access, unsigned caller) {
  Finding finding;
  finding.key = key;
  finding.kind = "data-race";
  finding.where = {{1, "writes 4 bytes", {frame("put()", access), frame("work()", caller)}},
                   {2, "reads 4 bytes", {frame("get()", 90)}}};
  return finding;
}

Finding unjoined() {
  Finding finding;
  finding.key = "unjoined";
  finding.kind = "never-joined";
  return finding;
}

TestRun run_with(const std::vector<Finding>& findings) {
  TestRun run;
  run.failures.emplace_back().kind = "deadlock";
  run.findings = findings;
  return run;
}

std::vector<std::string> keys_of_failures(const TestRun& run) {
  std::vector<std::string> keys;
  for (const Failure& failure : run.failures)
    if (!failure.key.empty()) keys.push_back(failure.kind + " " + failure.key);
  return keys;
}

FindingPolicy with(Races races) {
  FindingPolicy policy;
  policy.races = races;
  return policy;
}

using Keys = std::vector<std::string>;

TEST(JudgeFindings, MakesFailuresOfRacesBehindTheOthers) {
  TestRun run = run_with({unjoined(), race("a", 10, 20), race("b", 11, 20)});
  judge_findings(run, with(Races::fail));
  EXPECT_EQ(run.failures.front().kind, "deadlock");
  EXPECT_EQ(keys_of_failures(run), (Keys{"race a", "race b"}));
  ASSERT_EQ(run.findings.size(), 1U);
  EXPECT_EQ(run.findings.front().kind, "never-joined");
}

TEST(JudgeFindings, LeavesRacesThatAreOnlyReported) {
  TestRun run = run_with({race("a", 10, 20)});
  judge_findings(run, with(Races::report));
  EXPECT_EQ(keys_of_failures(run), Keys());
  EXPECT_EQ(run.findings.front().reason, "");
}

TEST(JudgeFindings, MakesFailuresOfEveryKindWhereStrict) {
  FindingPolicy policy = with(Races::report);
  policy.strict = true;
  TestRun run = run_with({unjoined(), race("a", 10, 20)});
  judge_findings(run, policy);
  EXPECT_EQ(keys_of_failures(run), (Keys{"never-joined unjoined", "race a"}));
  EXPECT_TRUE(run.findings.empty());
}

// Line 10 is impacted, and line 30 accesses an impacted field.
TEST(JudgeFindings, TakesRacesOfTheChangeByLinesOnTheStackAndFieldsAtTheAccess) {
  FindingPolicy policy = with(Races::changed);
  policy.frame_bits = [](const Frame& at) -> std::uint8_t {
    return at.line == 10 ? k_match_line : at.line == 30 ? k_match_field : k_match_method;
  };
  TestRun run = run_with({race("access", 10, 20), race("caller", 11, 10), race("field", 30, 20),
                          race("field_of_caller", 11, 30), race("method", 12, 20)});
  judge_findings(run, policy);
  EXPECT_EQ(keys_of_failures(run), (Keys{"race access", "race caller", "race field"}));
  ASSERT_EQ(run.findings.size(), 2U);
  EXPECT_EQ(run.findings[0].key, "field_of_caller");
  EXPECT_EQ(run.findings[1].reason,
            "neither an access nor an operation that could order them is of the change");
}

TEST(JudgeFindings, TakesRacesOnLinesThatFollowFromTheChange) {
  FindingPolicy policy = with(Races::changed);
  policy.frame_bits = [](const Frame&) -> std::uint8_t { return k_match_method; };
  policy.follows = [](const Frame& at) { return at.line == 10; };
  TestRun run = run_with({race("access", 10, 20), race("caller", 11, 10), race("other", 11, 20)});
  judge_findings(run, policy);
  EXPECT_EQ(keys_of_failures(run), (Keys{"race access", "race caller"}));
  ASSERT_EQ(run.findings.size(), 1U);
}

TEST(JudgeFindings, TakesRacesThatAnAtomicOperationOfTheChangeDoesNotOrder) {
  FindingPolicy policy = with(Races::changed);
  policy.frame_bits = [](const Frame& at) -> std::uint8_t { return at.line == 40 ? k_match_line : 0; };
  Finding weak = race("weak", 11, 20);
  weak.near_misses = {{2, "atomic load", {frame("full()", 41)}}, {1, "atomic store", {frame("pop()", 40)}}};
  Finding other = race("other", 11, 20);
  other.near_misses = {{2, "atomic load", {frame("full()", 41)}}};
  TestRun run = run_with({weak, other});
  judge_findings(run, policy);
  EXPECT_EQ(keys_of_failures(run), (Keys{"race weak"}));
  ASSERT_EQ(run.failures.back().where.size(), 3U);
  EXPECT_EQ(run.failures.back().where[2].state, "atomic store of the change, which does not order the two");
  ASSERT_EQ(run.findings.size(), 1U);
}

TEST(JudgeFindings, TakesRacesThatAWriteWouldOrderThatTheChangeMayLeaveOut) {
  FindingPolicy policy = with(Races::changed);
  policy.frame_bits = [](const Frame&) -> std::uint8_t { return k_match_method; };
  policy.follows = [](const Frame& at) { return at.line == 40; };
  Finding early = race("early", 11, 20);
  early.left_out = {{1, "atomic compare-exchange", {frame("signal()", 40), frame("main()", 7)}}};
  Finding other = race("other", 11, 20);
  other.left_out = {{1, "atomic compare-exchange", {frame("signal()", 41), frame("main()", 40)}}};
  TestRun run = run_with({early, other});
  judge_findings(run, policy);
  EXPECT_EQ(keys_of_failures(run), (Keys{"race early"}));
  ASSERT_EQ(run.failures.back().where.size(), 3U);
  EXPECT_EQ(run.failures.back().where[2].state,
            "atomic compare-exchange, perhaps left out by the change, would order the two");
}

TEST(JudgeFindings, GivesNoVerdictIfTheImpactIsNotKnown) {
  FindingPolicy policy = with(Races::changed);
  policy.frame_bits = [](const Frame& at) -> std::uint8_t { return at.line == 10 ? k_match_line : 0; };
  policy.unjudged = "its analysis took longer";
  policy.remedy = "more time";
  TestRun run;
  run.schedules = 7;
  run.control.scheduling_points = 9;
  run.ended = EndReason::exhausted;
  run.exhausted = true;
  run.bound_completed = 2;
  Finding known = race("known", 11, 20);
  known.reason = "unseen code may order it";
  run.findings = {known, unjoined()};
  judge_findings(run, policy);
  EXPECT_EQ(verdict_of(run), Verdict::passed);
  run.findings = {race("other", 11, 20)};
  judge_findings(run, policy);
  EXPECT_EQ(verdict_of(run), Verdict::inconclusive);
  EXPECT_FALSE(run.exhausted || run.bound_completed);
  ASSERT_EQ(run.gaps.size(), 1U);
  EXPECT_EQ(run.gaps[0].kind, "races-unjudged");
  EXPECT_EQ(run.gaps[0].detail, "1 data race may be of the change: its analysis took longer");
  EXPECT_EQ(run.gaps[0].remedy, "more time");
  run.findings.push_back(race("of_the_change", 10, 20));
  judge_findings(run, policy);
  EXPECT_EQ(verdict_of(run), Verdict::failed);
  // A race in a changed file that was not parsed.
  run = TestRun();
  run.findings = {race("other", 11, 20)};
  policy.unjudged.clear();
  policy.unparsed = {"/project/stack.h"};
  judge_findings(run, policy);
  EXPECT_TRUE(run.gaps.empty());
  run.findings = {race("other", 11, 20)};
  policy.unparsed.insert("/project/queue.h");
  judge_findings(run, policy);
  ASSERT_EQ(run.gaps.size(), 1U);
  EXPECT_EQ(run.gaps[0].detail,
            "1 data race may be of the change: queue.h was not parsed with any unit of the test");
  // With all races, or none, the change does not matter.
  run = TestRun();
  run.findings = {race("other", 11, 20)};
  policy.races = Races::report;
  judge_findings(run, policy);
  EXPECT_TRUE(run.gaps.empty());
}

TEST(JudgeFindings, LeavesRacesThatMayBeNone) {
  Finding doubtful = race("a", 10, 20);
  doubtful.reason = "unseen code may order it";
  TestRun run = run_with({doubtful});
  judge_findings(run, with(Races::fail));
  EXPECT_EQ(keys_of_failures(run), Keys());
  EXPECT_EQ(run.findings.front().reason, "unseen code may order it");
}

// Line 10 is impacted.
TEST(JudgeFindings, LeavesWhatTheBaseHasShown) {
  FindingPolicy policy = with(Races::changed);
  policy.frame_bits = [](const Frame& at) -> std::uint8_t { return at.line == 10 ? k_match_line : 0; };
  policy.base_has_shown = [](const Finding& finding) { return finding.key == "old"; };
  TestRun run = run_with({race("old", 10, 20), race("new", 10, 20)});
  judge_findings(run, policy);
  EXPECT_EQ(keys_of_failures(run), Keys{"race new"});
  ASSERT_EQ(run.findings.size(), 1U);
  EXPECT_EQ(run.findings.front().reason, "an earlier run of the base showed it, too");
}

FileChange change_of_queue(unsigned old_first, unsigned old_count, unsigned new_first, unsigned new_count) {
  FileChange change;
  change.old_path = change.new_path = "queue.h";
  Hunk hunk;
  hunk.old_start = old_first;
  hunk.old_count = old_count;
  hunk.new_start = new_first;
  hunk.new_count = new_count;
  change.hunks = {hunk};
  return change;
}

TEST(KnownRaces, AreOnTheLinesOfTheBaseInEitherOrder) {
  TestRun run = run_with({race("key", 10, 20)});
  const std::vector<KnownRace> known = races_of({run});
  Finding turned = race("key", 10, 20);
  std::swap(turned.where[0], turned.where[1]);
  EXPECT_TRUE(is_known_race(turned, known, {}, "/project"));
  EXPECT_FALSE(is_known_race(race("other", 10, 20), known, {}, "/project"));
  EXPECT_FALSE(is_known_race(race("key", 10, 21), known, {}, "/project")) << "called from elsewhere";

  const FileChange two_more = change_of_queue(15, 0, 16, 2); // lines behind the 15th
  EXPECT_FALSE(is_known_race(race("key", 10, 20), known, {two_more}, "/project"));
  Finding moved = race("key", 10, 22);
  moved.where[1].stack.front().line = 92;
  EXPECT_TRUE(is_known_race(moved, known, {two_more}, "/project"));
  EXPECT_FALSE(is_known_race(moved, known, {two_more}, "/elsewhere"));

  const FileChange rewritten = change_of_queue(20, 1, 20, 1);
  EXPECT_FALSE(is_known_race(race("key", 10, 20), known, {rewritten}, "/project"));
}

} // namespace
} // namespace reex
