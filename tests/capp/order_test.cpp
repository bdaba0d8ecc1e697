#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <tuple>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "figure_4_2.h"
#include "sample.h"

namespace reex::capp_test {
namespace {

constexpr unsigned k_bound = 2;
constexpr std::size_t k_compared = 500;

struct Explored {
  nlohmann::json report;
  Space space;
};

Explored explore(const Sample& sample, const std::string& options) {
  const std::string folder = sample.folder.string();
  const std::string command =
      "cd '" + folder + "' && " REEX_BINARY " --outcomes --keep-going 0 --reduction none --bound " +
      std::to_string(k_bound) + " --schedule-log log.json --format json:report.json " + options +
      " test >output.txt 2>&1";
  const int status = run(command);
  EXPECT_TRUE(status == 0 || status == 1) << command << "\nended with " << status;
  Explored explored;
  std::ifstream(folder + "/report.json") >> explored.report;
  explored.space = read_log(folder + "/log.json");
  return explored;
}

using Outcomes = std::map<std::tuple<std::string, std::string, std::string>, std::pair<unsigned, unsigned>>;

Outcomes outcomes_of(const nlohmann::json& report) {
  Outcomes outcomes;
  for (const auto& outcome : report.at("outcomes"))
    outcomes[{outcome.at("stdout").dump(), outcome.at("exit").dump(), outcome.at("failure").dump()}] = {
        outcome.at("count"), outcome.at("preemptions")};
  return outcomes;
}

std::vector<Path> head(const std::vector<Path>& paths) {
  return {paths.begin(), paths.begin() + static_cast<long>(std::min(paths.size(), k_compared))};
}

class Order : public testing::Test {
protected:
  static void SetUpTestSuite() {
    s_sample = new Sample(make_sample("order"));
    // With any heuristic, the log has the match bits of every choice, and the whole bounded space is
    // explored.
    s_all = new Explored(explore(*s_sample, "--base HEAD~1 --heuristic LOA"));
  }
  static void TearDownTestSuite() { std::filesystem::remove_all(s_sample->folder); }
  static Sample* s_sample;
  static Explored* s_all;
};
Sample* Order::s_sample = nullptr;
Explored* Order::s_all = nullptr;

TEST_F(Order, SpaceIsWorthComparing) {
  EXPECT_GT(s_all->space.executed.size(), k_compared);
  std::map<unsigned, unsigned> seen;
  for (const auto& [path, point] : s_all->space.points)
    for (const unsigned bits : point.bits) ++seen[bits];
  EXPECT_GT(seen.size(), 2u) << "the choices hardly differ in what they match";
}

TEST_F(Order, EveryHeuristicFollowsFigure42) {
  for (const Heuristic& heuristic : heuristics()) {
    SCOPED_TRACE(heuristic.name);
    const Explored explored = explore(*s_sample, "--base HEAD~1 --heuristic " + std::string(heuristic.name));
    EXPECT_EQ(head(explored.space.executed), head(order_of(s_all->space, heuristic, k_bound)));
    EXPECT_EQ(explored.report.at("schedules"), s_all->report.at("schedules"));
    EXPECT_EQ(explored.space.executed.size(), explored.report.at("schedules"));
    EXPECT_EQ(outcomes_of(explored.report), outcomes_of(s_all->report));
    EXPECT_EQ(explored.report.at("bound_completed"), k_bound);
  }
}

TEST_F(Order, WithoutAChangeItIsBasic) {
  const Explored basic = explore(*s_sample, "--base HEAD~1 --heuristic Basic");
  const Explored unchanged = explore(*s_sample, "");
  EXPECT_EQ(basic.space.executed, unchanged.space.executed);
}

TEST_F(Order, RestoreAndForkAgree) {
  const Explored fork = explore(*s_sample, "--base HEAD~1 --heuristic LOA --isolation fork");
  EXPECT_EQ(fork.space.executed, s_all->space.executed);
  EXPECT_EQ(outcomes_of(fork.report), outcomes_of(s_all->report));
}

std::vector<Path> sorted(std::vector<Path> paths) {
  std::sort(paths.begin(), paths.end());
  return paths;
}

TEST_F(Order, ASeedShufflesItAndKeepsTheSchedules) {
  const Explored seeded = explore(*s_sample, "--base HEAD~1 --heuristic LOA --seed 3");
  EXPECT_NE(seeded.space.executed, s_all->space.executed);
  EXPECT_EQ(sorted(seeded.space.executed), sorted(s_all->space.executed));
  EXPECT_EQ(outcomes_of(seeded.report), outcomes_of(s_all->report));
  EXPECT_EQ(seeded.report.at("bound_completed"), k_bound);
}

TEST_F(Order, SamplesComeFromTheirSeed) {
  for (const std::string strategy : {"pct", "pos", "surw"}) {
    SCOPED_TRACE(strategy);
    const std::string options = "--strategy " + strategy + " --schedules 50 --base HEAD~1 --seed ";
    const Explored one = explore(*s_sample, options + "1");
    EXPECT_EQ(one.space.executed.size(), 50u);
    EXPECT_EQ(one.space.executed, explore(*s_sample, options + "1 --isolation fork").space.executed);
    EXPECT_NE(one.space.executed, explore(*s_sample, options + "2").space.executed);
  }
}

TEST_F(Order, SurwGoesByTheChangeIfThereIsOne) {
  const std::string surw = "--strategy surw --schedules 100 ";
  const Explored impacted = explore(*s_sample, surw + "--base HEAD~1");
  EXPECT_EQ(impacted.report.at("interesting"), "impacted");
  const Explored shared = explore(*s_sample, surw + "--base HEAD~1 --interesting shared");
  EXPECT_EQ(shared.report.at("interesting"), "shared");
  EXPECT_NE(impacted.space.executed, shared.space.executed);
  EXPECT_EQ(explore(*s_sample, surw).report.at("interesting"), "shared");
}

// The match bits depend on the source only. Compiler and optimization change neither them nor the order.
TEST_F(Order, EveryBuildOfTheProgramIsExploredAlike) {
  for (const char* compiler : {"g++ -O0", "g++ -O2", "clang++ -O0", "clang++ -O2"}) {
    SCOPED_TRACE(compiler);
    build(*s_sample, compiler);
    const Explored explored = explore(*s_sample, "--base HEAD~1 --heuristic LOA");
    EXPECT_EQ(explored.space.executed, s_all->space.executed);
    EXPECT_TRUE(explored.space.points == s_all->space.points);
  }
}

TEST(Unrelated, AChangeElsewhereLeavesTheOrder) {
  const Sample sample = make_sample("unrelated", "NOTES.md");
  const Explored basic = explore(sample, "--base HEAD~1 --heuristic Basic");
  const Explored loa = explore(sample, "--base HEAD~1 --heuristic LOA");
  EXPECT_GT(basic.space.executed.size(), 1u);
  EXPECT_EQ(loa.space.executed, basic.space.executed);
  std::filesystem::remove_all(sample.folder);
}

} // namespace
} // namespace reex::capp_test
