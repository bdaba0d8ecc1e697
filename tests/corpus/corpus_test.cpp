// Explores the corpus with the command line, in both kinds of isolation. Checks the verdict, the kind of
// failure, the fewest preemptions, the findings by kind, and the counts that expected.json states. A replay
// of each failure's schedule file must fail again. A case may have its own options, and only one kind of
// isolation if the other costs too much; `inconclusive` says that some of its executions never end.
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/corpus/run_reex.h"

namespace reex::corpus {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const fs::path k_sources = REEX_CORPUS_SOURCES;
const fs::path k_binaries = REEX_CORPUS_BINARIES;

json expected() {
  std::ifstream file(k_sources / "expected.json");
  return json::parse(file);
}

std::string describe(const RunResult& run) { return "$ " + run.command + "\n" + run.log; }

bool is_inconclusive(const json& entry) { return entry.value("inconclusive", false); }

// A data race is a failure, and the other findings are none.
int expected_exit(const json& entry) {
  if (!entry.at("failure").is_null() || entry.at("findings").contains("data-race")) return 1;
  return is_inconclusive(entry) ? 3 : 0;
}

std::vector<json> races_of(const json& report) {
  std::vector<json> races;
  for (const json& failure : report.at("failures"))
    if (failure.at("kind") == "race") races.push_back(failure);
  return races;
}

// The number of findings of each kind, those included that count as failures.
std::map<std::string, std::size_t> findings_of(const json& report) {
  std::map<std::string, std::size_t> findings;
  for (const json& finding : report.at("findings")) ++findings[finding.at("kind").get<std::string>()];
  if (const std::size_t races = races_of(report).size(); races != 0) findings["data-race"] = races;
  return findings;
}

// The fewest preemptions of an outcome with this failure.
std::optional<unsigned> fewest(const json& report, const std::string& failure) {
  std::optional<unsigned> result;
  for (const json& outcome : report.at("outcomes")) {
    if (outcome.at("failure") != failure) continue;
    const auto preemptions = outcome.at("preemptions").get<unsigned>();
    if (!result || preemptions < *result) result = preemptions;
  }
  return result;
}

struct Parameter {
  json entry;
  unsigned bound;
  std::string isolation;
};

void PrintTo(const Parameter& parameter, std::ostream* out) {
  *out << parameter.entry.at("case") << " in " << parameter.isolation;
}

std::vector<Parameter> parameters() {
  std::vector<Parameter> result;
  const json all = expected();
  for (const json& entry : all.at("cases"))
    for (const auto& isolation : entry.value("isolations", std::vector<std::string>{"restore", "fork"}))
      result.push_back({entry, all.at("bound").get<unsigned>(), isolation});
  return result;
}

std::string name_of(const testing::TestParamInfo<Parameter>& info) {
  std::string name = info.param.entry.at("case").get<std::string>() + "_" + info.param.isolation;
  for (char& c : name)
    if (c == '/') c = '_';
  return name;
}

class Corpus : public testing::TestWithParam<Parameter> {
protected:
  RunResult explore(const std::vector<std::string>& options) const {
    std::vector<std::string> arguments{
        "--bound", std::to_string(GetParam().bound), "--isolation", GetParam().isolation, "-o", "."};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const json& entry = GetParam().entry;
    const auto own = entry.value("options", std::vector<std::string>());
    arguments.insert(arguments.end(), own.begin(), own.end());
    arguments.push_back((k_binaries / entry.at("case").get<std::string>()).string());
    return run_reex(m_directory.path(), arguments);
  }

  // All there is within the bound. Two cases look at it: it is explored by the first one that comes to it.
  const RunResult& explore_all() const {
    static std::map<std::string, RunResult> explored;
    const std::string name = testing::PrintToString(GetParam());
    auto found = explored.find(name);
    if (found == explored.end())
      found =
          explored.emplace(name, explore({"--outcomes", "--keep-going", "0", "--reduction", "none"})).first;
    return found->second;
  }

  TemporaryDirectory m_directory;
};

TEST_P(Corpus, VerdictIsAsExpected) {
  const json& entry = GetParam().entry;
  const RunResult& run = explore_all();
  ASSERT_TRUE(run.report.is_object()) << describe(run);
  EXPECT_EQ(expected_exit(entry), run.exit) << describe(run);
  const bool inconclusive = is_inconclusive(entry);
  EXPECT_EQ(inconclusive, run.report.at("inconclusive").at("step_limit") > 0) << describe(run);

  std::set<std::string> kinds;
  std::uint64_t counted = 0;
  for (const json& outcome : run.report.at("outcomes")) {
    counted += outcome.at("count").get<std::uint64_t>();
    if (!outcome.at("failure").is_null() && outcome.at("failure") != "step-limit")
      kinds.insert(outcome.at("failure").get<std::string>());
  }
  const auto schedules = run.report.at("schedules").get<std::uint64_t>();
  EXPECT_EQ(schedules, counted) << describe(run);
  EXPECT_GT(run.report.at("control").at("scheduling_points").get<std::uint64_t>(), 0U) << describe(run);
  const bool explored =
      run.report.at("exhausted") == true || run.report.at("bound_completed") == GetParam().bound;
  EXPECT_EQ(!inconclusive, explored) << describe(run);

  std::set<std::string> expected_kinds;
  if (!entry.at("failure").is_null()) expected_kinds.insert(entry.at("failure").get<std::string>());
  EXPECT_EQ(expected_kinds, kinds) << describe(run);
  EXPECT_EQ(entry.at("findings"), json(findings_of(run.report))) << describe(run);
  if (!entry.at("preemptions").is_null()) {
    EXPECT_EQ(entry.at("preemptions").get<unsigned>(), fewest(run.report, entry.at("failure")))
        << describe(run);
  }
  if (!entry.at("schedules").is_null()) {
    EXPECT_EQ(entry.at("schedules").get<std::uint64_t>(), schedules) << describe(run);
  }
}

// How executions ended and what they printed, each with the fewest preemptions.
std::map<std::string, unsigned> reached(const json& report) {
  std::map<std::string, unsigned> result;
  for (const json& outcome : report.at("outcomes"))
    result[json{outcome.at("failure"), outcome.at("exit"), outcome.at("stdout")}.dump()] =
        outcome.at("preemptions").get<unsigned>();
  return result;
}

TEST_P(Corpus, ReductionKeepsOutcomesAndTheirFewestPreemptions) {
  const RunResult& all = explore_all();
  const RunResult reduced = explore({"--outcomes", "--keep-going", "0", "--reduction", "hb"});
  ASSERT_TRUE(all.report.is_object()) << describe(all);
  ASSERT_TRUE(reduced.report.is_object()) << describe(reduced);
  EXPECT_EQ(reached(all.report), reached(reduced.report)) << describe(reduced);
  EXPECT_EQ(findings_of(all.report), findings_of(reduced.report)) << describe(reduced);
  EXPECT_LE(reduced.report.at("schedules"), all.report.at("schedules")) << describe(reduced);
  EXPECT_EQ(all.report.at("bound_completed"), reduced.report.at("bound_completed")) << describe(reduced);
  if (all.report.at("exhausted") == reduced.report.at("exhausted")) return;
  // No state has an alternative beyond the bound, so nothing is left.
  EXPECT_EQ(reduced.report.at("exhausted"), true) << describe(reduced);
  const RunResult endless =
      explore({"--outcomes", "--keep-going", "0", "--reduction", "none", "--bound", "none"});
  ASSERT_TRUE(endless.report.is_object()) << describe(endless);
  EXPECT_EQ(endless.report.at("exhausted"), true) << describe(endless);
  EXPECT_EQ(reached(endless.report), reached(reduced.report)) << describe(endless);
}

TEST_P(Corpus, FailureIsReplayed) {
  const json& entry = GetParam().entry;
  if (entry.at("failure").is_null()) {
    const RunResult run = explore({"--races", "report"});
    EXPECT_TRUE(schedule_files(m_directory.path()).empty()) << describe(run);
    return;
  }
  const RunResult run = explore({"--keep-going", "1", "--races", "report"});
  EXPECT_EQ(1, run.exit) << describe(run);
  const std::vector<fs::path> files = schedule_files(m_directory.path());
  ASSERT_EQ(1U, files.size()) << describe(run);
  if (!entry.at("key").is_null()) {
    const std::string name = fs::path(entry.at("case").get<std::string>()).filename().string();
    EXPECT_EQ(name + "-" + entry.at("key").get<std::string>(), files[0].stem().string());
  }
  const RunResult replay = run_verb(m_directory.path(), {"replay", files[0].string()});
  EXPECT_EQ(1, replay.exit) << describe(replay);
  EXPECT_NE(std::string::npos, replay.log.find(entry.at("failure").get<std::string>())) << describe(replay);
}

// Each race has a schedule file, which shows it again with both stacks.
TEST_P(Corpus, RacesAreReplayed) {
  if (!GetParam().entry.at("findings").contains("data-race")) return;
  const RunResult run = explore({"--keep-going", "1"});
  EXPECT_EQ(1, run.exit) << describe(run);
  for (const json& race : races_of(run.report)) {
    const RunResult replay = run_verb(m_directory.path(), {"replay", race.at("replay").get<std::string>()});
    EXPECT_EQ(1, replay.exit) << describe(replay);
    EXPECT_NE(std::string::npos, replay.log.find("race, as recorded")) << describe(replay);
    const std::string sides =
        replay.log.substr(std::min(replay.log.find("Where it happened"), replay.log.size()));
    for (const json& side : race.at("where")) {
      const std::string line =
          fs::path(side.at("file").get<std::string>()).filename().string() + ":" + side.at("line").dump();
      EXPECT_NE(std::string::npos, sides.find(line)) << line << '\n' << describe(replay);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Corpus, testing::ValuesIn(parameters()), name_of);

int status_of_a_race(const std::vector<std::string>& options) {
  const TemporaryDirectory directory;
  std::vector<std::string> arguments{"-o", "."};
  arguments.insert(arguments.end(), options.begin(), options.end());
  arguments.push_back((k_binaries / "passes/race/counter").string());
  return run_reex(directory.path(), arguments).exit;
}

TEST(Findings, FailTheTestWhereAskedFor) {
  EXPECT_EQ(1, status_of_a_race({}));
  EXPECT_EQ(1, status_of_a_race({"--races", "fail"}));
  EXPECT_EQ(0, status_of_a_race({"--races", "report"}));
  EXPECT_EQ(1, status_of_a_race({"--races", "fail", "--accesses", "sync"}));
  EXPECT_EQ(1, status_of_a_race({"--strict-findings"}));
  EXPECT_EQ(0, status_of_a_race({"--strict-findings", "--races", "off"}));
}

RunResult explore_case(const fs::path& directory, const std::string& name, const std::string& option,
                       const std::string& value) {
  return run_reex(directory, {"-o", ".", option, value, (k_binaries / name).string()});
}

TEST(Findings, AreNoneAndPromoteNothingWhereRacesAreOff) {
  const TemporaryDirectory directory;
  const RunResult run = explore_case(directory.path(), "fails/race/lost_increment", "--races", "off");
  EXPECT_EQ(0, run.exit) << describe(run);
  EXPECT_TRUE(run.report.at("findings").empty()) << describe(run);
  EXPECT_EQ(0, run.report.at("promoted")) << describe(run);
  EXPECT_NE(std::string::npos, run.log.find("data races are not looked for")) << describe(run);
}

TEST(Findings, PromoteNothingUnderAccessesSync) {
  const TemporaryDirectory directory;
  const RunResult run = explore_case(directory.path(), "fails/race/lost_increment", "--accesses", "sync");
  EXPECT_EQ(1, run.exit) << describe(run);
  EXPECT_EQ(2U, races_of(run.report).size()) << describe(run);
  EXPECT_EQ(2U, run.report.at("failures").size()) << describe(run);
  EXPECT_EQ(1, run.report.at("rounds")) << describe(run);
  EXPECT_EQ(0, run.report.at("promoted")) << describe(run);
}

TEST(MemoryErrors, AreFoundWhereRacesAreOff) {
  const TemporaryDirectory directory;
  const RunResult run =
      explore_case(directory.path(), "fails/memory/mutex_in_freed_object", "--races", "off");
  EXPECT_EQ(1, run.exit) << describe(run);
  EXPECT_EQ("use-after-free", run.report.at("failures").at(0).at("kind")) << describe(run);
}

TEST(MemoryErrors, ASecondFreeNamesTheBlockAndTheFirst) {
  const TemporaryDirectory directory;
  const RunResult run = explore_case(directory.path(), "fails/memory/double_free", "--races", "off");
  EXPECT_EQ(1, run.exit) << describe(run);
  const auto message = run.report.at("failures").at(0).at("message").get<std::string>();
  const std::regex words("thread ([12]) frees a block of 4 bytes that thread ([12]) freed before");
  std::smatch threads;
  ASSERT_TRUE(std::regex_match(message, threads, words)) << describe(run);
  EXPECT_NE(threads[1], threads[2]) << message;
  EXPECT_NE(std::string::npos, run.log.find("freed here by T" + threads[2].str())) << describe(run);
  EXPECT_NE(std::string::npos, run.log.find("allocated before the first thread")) << describe(run);
}

TEST(Findings, NameBothSidesOfAnUnlockByAStranger) {
  const TemporaryDirectory directory;
  const RunResult run =
      explore_case(directory.path(), "passes/deadlock/unlocked_by_stranger", "--bound", "2");
  EXPECT_EQ(0, run.exit) << describe(run);
  const json& finding = run.report.at("findings").at(0);
  EXPECT_EQ("unlocked-by-stranger", finding.at("kind"));
  EXPECT_EQ("locked it", finding.at("where").at(0).at("state"));
  EXPECT_EQ("take()", finding.at("where").at(0).at("function"));
  EXPECT_EQ("unlocks it", finding.at("where").at(1).at("state"));
  EXPECT_EQ("give_back()", finding.at("where").at(1).at("function"));
  EXPECT_EQ(1, explore_case(directory.path(), "passes/deadlock/unlocked_by_stranger", "--strict-findings",
                            "--bound=2")
                   .exit);
}

TEST(CorpusTable, EveryCaseIsExpectedAndEveryExpectationHasItsCase) {
  std::set<std::string> in_table;
  const json all = expected();
  for (const json& entry : all.at("cases")) {
    const auto name = entry.at("case").get<std::string>();
    EXPECT_TRUE(in_table.insert(name).second) << name;
    EXPECT_EQ(name.starts_with("passes/"), entry.at("failure").is_null()) << name;
  }
  std::set<std::string> in_folders;
  for (const char* verdict : {"passes", "fails"})
    for (const auto& file : fs::recursive_directory_iterator(k_sources / verdict))
      if (file.path().extension() == ".cpp")
        in_folders.insert(fs::relative(file.path(), k_sources).replace_extension().string());
  EXPECT_EQ(in_folders, in_table);
}

} // namespace
} // namespace reex::corpus
