// Replays: the recorded schedule occurs again, in any place and any number of times.
#include <algorithm>
#include <fstream>
#include <regex>

#include <gtest/gtest.h>

#include "tests/replay/recorded.h"
#include "tests/runtime/tool.h"

namespace reex::replay_test {
namespace {

namespace fs = std::filesystem;
using namespace reex::tool;

struct Kind {
  const char* name;     // the argument of the program
  const char* expected; // the kind of failure
  int times;
};
constexpr Kind k_kinds[] = {
    {"deadlock", "deadlock", 100},  {"assertion", "assertion", 10}, {"abort", "abort", 10},
    {"exception", "exception", 10}, {"signal", "signal", 10},       {"exit", "exit", 10},
    {"addresses", "assertion", 10}, {"surroundings", "abort", 10},  {"main_waits", "deadlock", 10},
    {"race", "assertion", 10},      {"gtest", "gtest", 10},
};

Words program_of(const Kind& kind) {
  if (kind.expected == std::string("gtest")) return {REEX_REPLAY_PROGRAMS "/suite"};
  return {REEX_REPLAY_PROGRAMS "/failures", kind.name};
}

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

// The output without times and rates, which differ between runs of reex.
std::string essence(const std::string& output) {
  return std::regex_replace(output, std::regex("[0-9.]+ (ms|s)\\b"), "_");
}

struct Failed {
  fs::path file;
  std::string key;
};

Failed fail(const Folder& folder, const Kind& kind, const Words& options = {}) {
  Words all = {"--races", "report"}; // one failure is looked for
  all.insert(all.end(), options.begin(), options.end());
  const Ran ran = explore(folder, all, program_of(kind));
  EXPECT_EQ(ran.status, 1) << describe(ran);
  const nlohmann::json* report = ran.report.is_object() ? &ran.report : nullptr;
  if (report == nullptr) return {};
  if (report->contains("runs"))
    for (const auto& run : (*report)["runs"])
      if (!run["failures"].empty()) report = &run;
  EXPECT_EQ(report->value("failures", nlohmann::json::array()).size(), 1U) << describe(ran);
  if ((*report)["failures"].empty()) return {};
  const auto& failure = (*report)["failures"][0];
  EXPECT_EQ(failure["kind"], kind.expected) << describe(ran);
  const std::string key = failure["key"];
  const fs::path file = folder.path() / ".reex" / "failures" /
                        (fs::path(program_of(kind).front()).filename().string() + "-" + key + ".reex");
  EXPECT_TRUE(fs::exists(file)) << file;
  return {file, key};
}

Ran replay(const Folder& folder, const fs::path& file, const Variables& environment = {}) {
  return command(folder, {"replay", file.string()}, environment);
}

class Replay : public testing::TestWithParam<Kind> {
protected:
  static bool failed_as_recorded(const Ran& ran) {
    return ran.output.find(std::string(GetParam().expected) + ", as recorded") != std::string::npos;
  }

  Folder m_folder;
};

TEST_P(Replay, FailsTheSameWayEachTime) {
  const Failed failed = fail(m_folder, GetParam());
  const Ran first = replay(m_folder, failed.file);
  EXPECT_EQ(first.status, 1) << describe(first);
  EXPECT_TRUE(failed_as_recorded(first)) << describe(first);
  for (int i = 1; i < GetParam().times; ++i) {
    const Ran again = replay(m_folder, failed.file);
    ASSERT_EQ(again.status, 1) << describe(again);
    ASSERT_EQ(essence(again.output), essence(first.output));
  }
}

TEST_P(Replay, FromAnotherFolderAndInALargerEnvironment) {
  const Failed failed = fail(m_folder, GetParam());
  const Folder elsewhere;
  Variables environment{{"REEX_TEST_PADDING", std::string(100000, 'x')}};
  for (int i = 0; i < 300; ++i) environment.emplace_back("REEX_TEST_PADDING_" + std::to_string(i), "value");
  const Ran ran = replay(elsewhere, failed.file, environment);
  EXPECT_EQ(ran.status, 1) << describe(ran);
  EXPECT_TRUE(failed_as_recorded(ran)) << describe(ran);
  EXPECT_TRUE(schedule_files(elsewhere.path()).empty());
}

TEST_P(Replay, WithAddressRandomization) {
  const Failed failed = fail(m_folder, GetParam());
  for (int i = 0; i < 5; ++i) {
    const Ran ran =
        Running(m_folder, {REEX_NO_PERSONALITY, reex_binary(), "replay", failed.file.string()}).wait();
    EXPECT_EQ(ran.status, 1) << describe(ran);
    EXPECT_TRUE(failed_as_recorded(ran)) << describe(ran);
  }
}

TEST_P(Replay, FoundWithAddressRandomization) {
  Words words = explore_command(m_folder, {"--races", "report"}, program_of(GetParam()));
  words.insert(words.begin(), REEX_NO_PERSONALITY);
  const Ran ran = Running(m_folder, words).wait();
  EXPECT_EQ(ran.status, 1) << describe(ran);
  const std::vector<fs::path> files = schedule_files(m_folder.path());
  ASSERT_EQ(files.size(), 1U) << describe(ran);
  const Ran again = replay(m_folder, files[0]);
  EXPECT_EQ(again.status, 1) << describe(again);
  EXPECT_EQ(fail(m_folder, GetParam()).file, files[0]); // the key does not depend on addresses
}

TEST_P(Replay, OfAForkedExplorationIsTheSame) {
  const Failed restore = fail(m_folder, GetParam());
  const std::string text = read_file(restore.file);
  fs::remove(restore.file);
  const Failed fork = fail(m_folder, GetParam(), {"--isolation", "fork"});
  EXPECT_EQ(restore.key, fork.key);
  EXPECT_EQ(text, read_file(fork.file));
}

TEST_P(Replay, WithoutItsLastDecisionPassesOrDiverges) {
  const Failed failed = fail(m_folder, GetParam());
  std::string text = read_file(failed.file);
  const std::size_t list = text.find("\"decisions\"");
  const std::size_t end = text.find("\n  ]", list);
  ASSERT_NE(end, std::string::npos) << text;
  const std::size_t last = text.rfind('\n', end - 1); // a line has one decision; the comma before it remains
  ASSERT_GT(last, list);
  text.erase(last, end - last);
  const fs::path edited = m_folder / "edited.reex";
  std::ofstream(edited) << text;
  const Ran ran = replay(m_folder, edited);
  EXPECT_TRUE(ran.status == 0 || ran.status == 7) << describe(ran);
  if (ran.status == 7) {
    EXPECT_NE(ran.output.find("diverged at step"), std::string::npos) << describe(ran);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Replay, testing::ValuesIn(k_kinds),
                         [](const auto& kind) { return std::string(kind.param.name); });

// The stacks of a race come of a further execution, which must make the same choices. Several races of one
// long execution: only the first file has its steps.
TEST(ReplayOfALongExecution, MakesAllItsSwitches) {
  const Folder folder;
  const Ran ran = explore(folder, {"--strategy", "random", "--schedules", "1"},
                          {REEX_REPLAY_PROGRAMS "/failures", "races_behind_much"});
  ASSERT_TRUE(ran.report.is_object()) << describe(ran);
  ASSERT_EQ(ran.report["failures"].size(), 2U) << describe(ran);
  unsigned with_steps = 0;
  for (const auto& failure : ran.report["failures"]) {
    const fs::path file = folder.path() / failure.value("replay", "missing");
    const auto document = nlohmann::json::parse(read_file(file));
    EXPECT_GT(document["decisions"].size(), 1U << 18);
    if (!document["steps"].empty()) ++with_steps;
    const Ran again = replay(folder, file);
    EXPECT_EQ(again.status, 1) << describe(again);
    EXPECT_TRUE(contains(again.output, "race, as recorded")) << again.output.substr(0, 1000);
  }
  EXPECT_EQ(with_steps, 1U);
}

TEST(ReplayReport, SaysWhomANotificationWoke) {
  const Folder folder;
  const Ran lost = command(folder, {"replay", record(folder, "lost_wake_up").file.string()});
  EXPECT_TRUE(contains(lost.output, "condition notify all condition#1 (nobody waits)")) << describe(lost);
  const Folder other;
  const Ran woken = command(other, {"replay", record(other, "woken").file.string()});
  EXPECT_TRUE(contains(woken.output, "condition notify one condition#1 (wakes 1)")) << describe(woken);
  EXPECT_TRUE(contains(woken.output, "T1 waits to be notified on condition#1 at failures.cpp:"))
      << describe(woken);
  EXPECT_FALSE(contains(woken.output, "T1 blocked on mutex#1")) << describe(woken);
}

TEST(SavedOutcome, ReplaysAsItEnded) {
  const Folder folder;
  const Ran ran =
      explore(folder, {"--outcomes", "--keep-going", "0"}, {REEX_REPLAY_PROGRAMS "/failures", "deadlock"});
  ASSERT_TRUE(ran.report.is_object()) << describe(ran);
  ASSERT_EQ(ran.report["outcomes"].size(), 2U) << describe(ran);
  for (const auto& outcome : ran.report["outcomes"]) {
    const fs::path file = folder.path() / outcome.value("replay", "missing");
    ASSERT_TRUE(fs::exists(file)) << outcome;
    const Ran again = replay(folder, file);
    EXPECT_EQ(again.status, outcome["failure"].is_null() ? 0 : 1) << describe(again);
  }
}

// The schedule of an outcome that was reached before the racing accesses became scheduling points.
TEST(SavedOutcome, OfAnEarlierRound) {
  const Folder folder;
  const Ran ran =
      explore(folder, {"--outcomes", "--keep-going", "0"}, {REEX_REPLAY_PROGRAMS "/failures", "late_race"});
  ASSERT_TRUE(ran.report.is_object()) << describe(ran);
  EXPECT_EQ(ran.report["rounds"], 2) << describe(ran);
  ASSERT_EQ(ran.report["outcomes"].size(), 3U) << describe(ran);
  for (const auto& outcome : ran.report["outcomes"]) {
    const Ran again = replay(folder, folder.path() / outcome.value("replay", "missing"));
    EXPECT_EQ(again.status, 0) << describe(again);
  }
}

// Schedules of other strategies and with other options can be replayed too.
TEST(SavedOutcome, OfOtherOptions) {
  for (const Words& options :
       {Words{"--strategy", "random", "--seed", "3", "--schedules", "50"}, Words{"--strategy", "dfs"},
        Words{"--strategy", "pct", "--schedules", "50"}, Words{"--strategy", "pos", "--schedules", "50"},
        Words{"--strategy", "surw", "--schedules", "50"}, Words{"--strategy", "icb", "--seed", "5"},
        Words{"--accesses", "all"}, Words{"--bound", "none"}}) {
    const Folder folder;
    Words all{"--outcomes", "--keep-going", "0"};
    all.insert(all.end(), options.begin(), options.end());
    const Ran ran = explore(folder, all, {REEX_REPLAY_PROGRAMS "/failures", "abort"});
    ASSERT_TRUE(ran.report.is_object()) << describe(ran);
    ASSERT_GE(ran.report["outcomes"].size(), 2U) << describe(ran);
    for (const auto& outcome : ran.report["outcomes"]) {
      const Ran again = replay(folder, folder.path() / outcome.value("replay", "missing"));
      EXPECT_EQ(again.status, outcome["failure"].is_null() ? 0 : 1)
          << options[0] << options[1] << describe(again);
    }
  }
}

class File : public testing::Test {
protected:
  void SetUp() override { m_file = fail(m_folder, k_kinds[0]).file; }

  Ran replay_text(const std::string& text) const {
    std::ofstream(m_folder / "changed.reex") << text;
    return replay(m_folder, m_folder / "changed.reex");
  }

  Folder m_folder;
  fs::path m_file;
};

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST_F(File, OfAnotherVersionIsRefused) {
  const Ran ran =
      replay_text(std::regex_replace(read_file(m_file), std::regex("\"version\": *2"), "\"version\": 3"));
  EXPECT_EQ(ran.status, 2) << describe(ran);
  EXPECT_EQ(lines_of(ran.output), 1U) << describe(ran);
  EXPECT_NE(ran.output.find("version 3"), std::string::npos) << describe(ran);
}

TEST_F(File, CutOffIsRefused) {
  const std::string text = read_file(m_file);
  for (const double part : {0.0, 0.1, 0.5, 0.9}) {
    const Ran ran =
        replay_text(text.substr(0, static_cast<std::size_t>(part * static_cast<double>(text.size()))));
    EXPECT_EQ(ran.status, 2) << describe(ran);
    EXPECT_EQ(lines_of(ran.output), 1U) << describe(ran);
  }
}

TEST_F(File, ThatIsNotThereIsRefused) {
  const Ran ran = replay(m_folder, m_folder / "none.reex");
  EXPECT_EQ(ran.status, 2) << describe(ran);
  EXPECT_EQ(lines_of(ran.output), 1U) << describe(ran);
}

TEST_F(File, OfAMissingBinaryDoesNotStart) {
  const Ran ran = replay_text(std::regex_replace(read_file(m_file), std::regex("/failures\""), "/missing\""));
  EXPECT_TRUE(ran.status == 2 || ran.status == 4) << describe(ran);
  EXPECT_EQ(lines_of(ran.output), 1U) << describe(ran);
}

TEST_F(File, OfAnotherBuildIsSaidSo) {
  const Ran ran = replay_text(std::regex_replace(
      read_file(m_file), std::regex("\"build_id\": *\"[0-9a-f]*\""), "\"build_id\":\"0123456789abcdef\""));
  EXPECT_EQ(ran.status, 1) << describe(ran);
  EXPECT_NE(ran.output.find("rebuilt"), std::string::npos) << describe(ran);
}

// The file has a decision for a thread that cannot run there, or for a point that is never reached.
TEST_F(File, ThatDoesNotFitDiverges) {
  const std::string text = read_file(m_file);
  for (const char* decision : {"{\"point\":1,\"step\":2,\"thread\":77,\"kind\":\"run\"}",
                               "{\"point\":4000,\"step\":4000,\"thread\":1,\"kind\":\"run\"}"}) {
    const Ran ran = replay_text(std::regex_replace(text, std::regex("\"decisions\": *\\[\n"),
                                                   "\"decisions\": [\n" + std::string(decision) + ",\n",
                                                   std::regex_constants::format_first_only));
    EXPECT_TRUE(ran.status == 7 || ran.status == 2) << describe(ran);
  }
}

// A reex that does not name variables, or names them otherwise, has written the file.
TEST(FileOfOtherNames, IsFollowedIfEachObjectHasOne) {
  const Folder folder;
  const std::string text = read_file(record(folder, "lost_wake_up").file);
  const auto replay_text = [&folder](const std::string& changed) {
    std::ofstream(folder.path() / "changed.reex") << changed;
    return replay(folder, folder.path() / "changed.reex");
  };
  const std::string name = "\"atomic#1\"";
  const std::size_t first = text.find(name);
  ASSERT_NE(text.find(name, first + 1), std::string::npos) << text;
  const Ran all = replay_text(std::regex_replace(text, std::regex(name), "\"m\""));
  EXPECT_EQ(all.status, 1) << describe(all);
  std::string changed = text;
  const Ran one = replay_text(changed.replace(first, name.size(), "\"m\""));
  EXPECT_EQ(one.status, 7) << describe(one);
  EXPECT_NE(one.output.find("diverged at step"), std::string::npos) << describe(one);
}

} // namespace
} // namespace reex::replay_test
