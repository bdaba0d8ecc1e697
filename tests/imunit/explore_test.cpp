// Schedules under reex: verdicts, counts, reports and replays, with every strategy and in every way to
// execute.
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::imunit_test {
namespace {

using namespace reex::tool;
using nlohmann::json;

const std::string k_queue = REEX_PROGRAMS "/queue";
const std::string k_uses = REEX_PROGRAMS "/uses";

struct Expected {
  const char* name;
  int status;
  const char* verdict; // of the schedule
  const char* kind;    // of the failure; "": none
};
constexpr Expected k_tests[] = {
    {"Queue.TakeWithAdd/blocking", 0, "satisfied", ""},
    {"Queue.TakeWithAdd/nonblocking", 0, "satisfied", ""},
    {"Queue.PutBlocksWhileFull/blocked", 0, "satisfied", ""},
    {"Queue.PutBlocksWhileFull/room", 0, "satisfied", ""},
    {"Queue.TwoTakers/both_wait", 0, "satisfied", ""},
    {"FaultyQueue.TwoTakers/both_wait", 1, "satisfied", "deadlock"},
    {"FaultyQueue.OneWaits/one_waits", 0, "satisfied", ""},
    {"Infeasible.TakeBeforeAdd", 0, "infeasible", ""},
    {"FeasibleAgain.TakeAfterAdd", 1, "satisfied", "gtest"},
    {"Unexpected.TakeBeforeAdd", 1, "infeasible", "infeasible"},
    {"Ordered.WriteThenRead/right", 0, "satisfied", ""},
    {"Ordered.WriteThenRead/wrong", 1, "satisfied", "gtest"},
};

class Verdicts : public testing::TestWithParam<Words> {};

TEST_P(Verdicts, OfEachSchedule) {
  for (const Expected& expected : k_tests) {
    const Folder folder;
    Words options{"--filter", expected.name, "--keep-going", "0", "--outcomes"};
    options.insert(options.end(), GetParam().begin(), GetParam().end());
    const Ran ran = explore(folder, options, {k_queue});
    ASSERT_TRUE(ran.report.is_object()) << describe(ran);
    EXPECT_EQ(ran.status, expected.status) << describe(ran);
    const json& imunit = ran.report["imunit"];
    EXPECT_EQ(imunit["verdict"], expected.verdict) << describe(ran);
    EXPECT_EQ(ran.report["failures"].empty(), *expected.kind == 0) << describe(ran);
    for (const json& failure : ran.report["failures"])
      EXPECT_EQ(failure["kind"], expected.kind) << describe(ran);
    EXPECT_EQ(imunit["satisfied"] == 0, std::string(expected.verdict) == "infeasible") << describe(ran);
    std::uint64_t outcomes = 0;
    for (const json& outcome : ran.report["outcomes"]) outcomes += outcome["count"].get<std::uint64_t>();
    EXPECT_EQ(outcomes, ran.report["schedules"]) << describe(ran); // stuck executions are in neither
  }
}
INSTANTIATE_TEST_SUITE_P(Explored, Verdicts,
                         testing::Values(Words{}, Words{"--bound", "0"}, Words{"--reduction", "none"},
                                         Words{"--strategy", "dfs"}, Words{"-j", "2"},
                                         Words{"--isolation", "fork"}, Words{"--strategy", "auto"}));

TEST(Explored, SamplesSatisfyTheSchedule) {
  for (const char* const strategy : {"random", "pct", "pos"}) {
    const Folder folder;
    const Ran ran =
        explore(folder, {"--filter", "Queue.*", "--strategy", strategy, "--schedules", "50"}, {k_queue});
    EXPECT_EQ(ran.status, 0) << describe(ran);
    for (const json& run : ran.report["runs"]) {
      EXPECT_EQ(run["imunit"]["satisfied"], run["schedules"]) << describe(ran);
      EXPECT_EQ(run["imunit"]["stuck"].get<int>() + run["schedules"].get<int>(), 50) << describe(ran);
    }
  }
}

// Proved only where all schedules were tried, and not within a limit.
TEST(Explored, NotMetWithinALimit) {
  const Folder folder;
  const Ran ran =
      explore(folder, {"--filter", "Unexpected.*", "--strategy", "random", "--schedules", "3"}, {k_queue});
  EXPECT_EQ(ran.status, 3) << describe(ran);
  EXPECT_EQ(ran.report["verdict"], "inconclusive") << describe(ran);
  EXPECT_EQ(ran.report["imunit"]["verdict"], "not-met") << describe(ran);
  EXPECT_EQ(ran.report["imunit"]["stuck"], 3) << describe(ran);
  EXPECT_EQ(ran.report["imunit"]["proved"], false) << describe(ran);
}

TEST(Explored, SaysWhereThreadsAreHeld) {
  const Folder folder;
  const Ran ran = explore(folder, {"--filter", "Unexpected.*"}, {k_queue});
  EXPECT_NE(ran.report["imunit"]["stuck_example"].get<std::string>().find(
                "is held at startingAdd for finishedTake -> startingAdd, at queue.cpp:"),
            std::string::npos)
      << describe(ran);
  EXPECT_EQ(ran.report["imunit"]["vacuous"], json{"finishedTake was never reached"}) << describe(ran);
}

TEST(Explored, TheTraceHasEventsAndHeldThreads) {
  const Folder folder;
  const Ran ran = explore(folder, {"--filter", "FaultyQueue.TwoTakers*"}, {k_queue});
  EXPECT_NE(ran.output.find("event take@first"), std::string::npos) << describe(ran);
  EXPECT_NE(ran.output.find("event adding"), std::string::npos) << describe(ran);
  EXPECT_NE(ran.output.find("T0 held at queue.cpp:"), std::string::npos) << describe(ran);
  EXPECT_NE(ran.output.find("[take@first] && [take@second] -> adding"), std::string::npos) << describe(ran);
}

TEST(Explored, FailuresReplay) {
  const Folder folder;
  explore(folder, {"--filter", "FaultyQueue.TwoTakers*"}, {k_queue});
  const auto files = schedule_files(folder.path());
  ASSERT_EQ(files.size(), 1U);
  const Ran replayed = command(folder, {"replay", files.front().string()});
  EXPECT_EQ(replayed.status, 1) << describe(replayed);
  EXPECT_NE(replayed.output.find("deadlock"), std::string::npos) << describe(replayed);
  const Ran minimized = command(folder, {"minimize", files.front().string()});
  EXPECT_EQ(minimized.status, 0) << describe(minimized);
}

struct Use {
  const char* name;
  int status;
  const char* text;
};
constexpr Use k_uses_and_ends[] = {
    {"right", 0, "satisfied by"},
    {"asked", 0, "satisfied by"},
    {"missing", 1, "no code issues bb"},
    {"impossible", 0, "infeasible: proved"},
    {"impossible_for_its_spelling", 1, "no code issues bb"},
    {"names_of_all_kinds", 1, "no code issues zz: is it spelled as in REEX_EVENT"},
    {"deadlock_while_nobody_is_held", 1, "deadlock"},
    {"missing_allowed", 3, "no execution satisfied"},
    {"twice", 1, "a occurred twice"},
    {"numbered", 0, "satisfied by"},
    {"nested", 1, "another schedule is in force"},
    {"one_after_the_other", 0, "several schedules"},
    {"long_name", 0, "satisfied by"},
    {"wrong_text", 1, "column 5 of the schedule"},
    {"under_lock", 1, "infeasible: proved"},
    {"cancelled", 3, "no execution satisfied"},
    {"forks", 0, "satisfied by"},
    {"left_alone", 1, "a thread was held at b when the schedule ended"},
    {"deadlock", 1, "deadlock"},
    {"sleeper_is_not_blocked", 0, "satisfied by"},
    {"exits_inside", 3, "no execution satisfied"},
    {"thread_ends", 3, "no execution satisfied"},
};

class ExploredUses : public testing::TestWithParam<Use> {};

TEST_P(ExploredUses, EndAsTheyShall) {
  const auto& [name, status, text] = GetParam();
  const Folder folder;
  const Ran ran = explore(folder, {}, {k_uses, name});
  EXPECT_EQ(ran.status, status) << describe(ran);
  EXPECT_NE(ran.output.find(text), std::string::npos) << describe(ran);
}
INSTANTIATE_TEST_SUITE_P(All, ExploredUses, testing::ValuesIn(k_uses_and_ends),
                         [](const auto& of) { return std::string(of.param.name); });

TEST(Explored, CheckingFailsWhatDoesNotObey) {
  const Folder folder;
  const Ran ran = explore(folder, {"--keep-going", "0"}, {k_uses, "right"}, {{"REEX_IMUNIT", "check"}});
  EXPECT_EQ(ran.status, 1) << describe(ran);
  EXPECT_EQ(ran.report["imunit"]["checks"], true) << describe(ran);
  EXPECT_EQ(ran.report["imunit"]["stuck"], 0) << describe(ran);
  EXPECT_NE(ran.output.find("a -> b was not obeyed: b occurred at uses.cpp:"), std::string::npos)
      << describe(ran);
  EXPECT_GT(ran.report["imunit"]["satisfied"], 0) << describe(ran);
}

TEST(Explored, ShardsTogetherSatisfyTheSchedule) {
  const Folder folder;
  Words merge{"merge"};
  for (const char* const shard : {"1/3", "2/3", "3/3"}) {
    const std::string part = (folder / (std::string(1, *shard) + ".json")).string();
    const Ran ran = command(
        folder, {"--filter", "Queue.TwoTakers*", "--shard", shard, "--format", "json:" + part, k_queue});
    EXPECT_EQ(ran.status, 0) << describe(ran);
    merge.push_back(part);
  }
  const std::string whole = (folder / "whole.json").string();
  merge.insert(merge.end(), {"--format", "json:" + whole});
  const Ran merged = command(folder, merge);
  EXPECT_EQ(merged.status, 0) << describe(merged);
  const json report = json::parse(read_file(whole));
  EXPECT_EQ(report["imunit"]["verdict"], "satisfied") << report;
  EXPECT_EQ(report["imunit"]["satisfied"], report["schedules"]) << report;
}

} // namespace
} // namespace reex::imunit_test
