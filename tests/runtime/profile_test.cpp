// Runs with --profile draw the same samples, however they are divided.
#include <csignal>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;

const Words k_program{REEX_PROGRAMS "/profiled"};
const Words k_failing{REEX_PROGRAMS "/profiled", "fails"};

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::vector<std::string> lines_of_file(const std::filesystem::path& path) {
  std::istringstream text(read_file(path));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

std::map<std::string, unsigned> counts_of(const nlohmann::json& report) {
  std::map<std::string, unsigned> counts;
  for (const auto& [text, seen] : outcomes_of(report)) counts[text] = seen.count;
  return counts;
}

Words options_of(const Folder& folder, const std::string& strategy) {
  return {"--strategy",
          strategy,
          "--seed",
          "5",
          "-k",
          "0",
          "--schedules",
          "60",
          "--outcomes",
          "--profile",
          folder / "profile.json"};
}

Ran learn(const Folder& folder, const std::string& strategy, const Words& program = k_program) {
  const Ran first = explore(folder, options_of(folder, strategy), program);
  EXPECT_TRUE(std::filesystem::exists(folder / "profile.json")) << describe(first);
  return first;
}

class Profiles : public testing::TestWithParam<const char*> {};

// The samples themselves, in an environment that moves main's stack.
TEST_P(Profiles, ShardsDrawTheSamplesOfOneRun) {
  const Folder folder;
  const Ran first = learn(folder, GetParam());
  EXPECT_EQ(first.report["schedules"], 64 + 60) << describe(first); // the lessons, too
  const bool counts_objects = std::string(GetParam()) != "pct";
  EXPECT_EQ(counts_objects, read_file(folder / "profile.json").find("\"stack\"") != std::string::npos);
  const Words options = options_of(folder, GetParam());
  const auto logged = [&](const Words& more, const Variables& environment) {
    const Ran ran =
        explore(folder, options + more + Words{"--schedule-log", folder / "log"}, k_program, environment);
    EXPECT_TRUE(ran.report.is_object()) << describe(ran);
    return lines_of_file(folder / "log");
  };
  const std::vector<std::string> whole = logged({}, {});
  ASSERT_EQ(whole.size(), 60u);
  for (std::size_t shard = 0; shard < 3; ++shard) {
    std::vector<std::string> expected;
    for (std::size_t i = shard; i < whole.size(); i += 3) expected.push_back(whole[i]);
    EXPECT_EQ(expected, logged({"--shard", std::to_string(shard + 1) + "/3"},
                               {{"SOME_NAME", std::string(1 + 777 * shard, 'x')}}));
  }
}

TEST_P(Profiles, HowTheyAreMadeIsNoMatter) {
  const Folder folder;
  learn(folder, GetParam());
  const Words options = options_of(folder, GetParam());
  const Ran whole = explore(folder, options, k_program);
  const auto expected = counts_of(whole.report);
  EXPECT_GT(expected.size(), 5u) << describe(whole);
  for (const Words& more : {Words{}, {"--jobs", "2"}, {"--jobs", "3"}, {"--isolation", "fork"}}) {
    const Ran same = explore(folder, options + more, k_program);
    EXPECT_EQ(expected, counts_of(same.report)) << describe(same);
    EXPECT_EQ(same.report["schedules"], 60) << describe(same);
  }
  std::map<std::string, unsigned> together;
  Words merge{"merge", "--format", "json:" + (folder / "all.json").string()};
  for (const char* shard : {"1/2", "2/2"}) {
    const Ran part =
        explore(folder, options + Words{"--shard", shard, "--jobs", shard[0] == '1' ? "2" : "1"}, k_program);
    for (const auto& [text, count] : counts_of(part.report)) together[text] += count;
    merge.push_back(folder / (std::string(1, shard[0]) + ".json"));
    std::filesystem::rename(folder / "report.json", merge.back());
  }
  EXPECT_EQ(expected, together);
  const Ran joined = command(folder, merge);
  const auto report = nlohmann::json::parse(read_file(folder / "all.json"), nullptr, false);
  EXPECT_EQ(expected, counts_of(report)) << describe(joined);
}

// It depends on the seed, and on nothing of the machine's. So tasks that learn at the same time agree.
TEST_P(Profiles, AreTheSameWhereverTheyAreLearned) {
  const Folder one, other;
  const Ran first = learn(one, GetParam());
  const Ran second = explore(other, options_of(other, GetParam()) + Words{"--jobs", "2", "--shard", "2/3"},
                             k_program, {{"SOME_NAME", std::string(999, 'x')}});
  EXPECT_EQ(read_file(one / "profile.json"), read_file(other / "profile.json")) << describe(second);
}

INSTANTIATE_TEST_SUITE_P(Strategies, Profiles, testing::Values("pct", "urw", "surw"),
                         [](const auto& one) { return std::string(one.param); });

// Under auto, the samples of the learning member.
TEST(Profile, IsOfAutoToo) {
  const Folder folder;
  const Words options{"--strategy", "auto", "--seed",      "5",  "-k",        "0",
                      "--bound",    "1",    "--schedules", "80", "--profile", folder / "profile.json"};
  const Ran first = explore(folder, options, k_program);
  ASSERT_TRUE(std::filesystem::exists(folder / "profile.json")) << describe(first);
  EXPECT_EQ(first.report["strategy"], "auto") << describe(first);
  const Ran second = explore(folder, options, k_program);
  const Ran third = explore(folder, options, k_program);
  EXPECT_EQ(second.report["schedules"], third.report["schedules"]) << describe(second);
  EXPECT_EQ(second.report["control"]["scheduling_points"], third.report["control"]["scheduling_points"]);
}

TEST(Profile, IsRefusedWhereItDoesNotFit) {
  const Folder folder;
  learn(folder, "surw");
  const std::string kept = read_file(folder / "profile.json");
  const auto refuses = [&](const Words& more, const Words& program, const std::string& why) {
    const Ran ran = explore(folder, options_of(folder, "surw") + more, program);
    EXPECT_EQ(ran.status, 2) << describe(ran);
    EXPECT_NE(ran.output.find(why), std::string::npos) << describe(ran);
  };
  refuses({"--accesses", "all"}, k_program, "another --accesses");
  refuses({"--strategy", "urw"}, k_program, "another --strategy");
  refuses({}, k_failing, "another arguments");
  refuses({}, {REEX_PROGRAMS "/threads"}, "another ");
  for (const char* none : {"icb", "random", "pos"})
    refuses({"--strategy", none}, k_program, "strategies that learn");
  EXPECT_EQ(kept, read_file(folder / "profile.json"));
  // Other seeds and numbers of schedules are other samples of the same test.
  const Ran other =
      explore(folder, options_of(folder, "surw") + Words{"--seed", "6", "--schedules", "7"}, k_program);
  EXPECT_EQ(other.report["schedules"], 7) << describe(other);
  std::ofstream(folder / "profile.json") << kept.substr(0, kept.size() / 2);
  refuses({}, k_program, "damaged");
}

TEST(Profile, OfAnotherRunIsNotMerged) {
  const Folder folder;
  const Words options = options_of(folder, "surw");
  Words merge{"merge"};
  for (const char* shard : {"1/2", "2/2"}) {
    // Each learns one of its own, with another seed of the lessons.
    std::filesystem::remove(folder / "profile.json");
    explore(folder, options_of(folder, "surw") + Words{"--seed", std::string(1, shard[0])}, k_program);
    const Ran part = explore(folder, options + Words{"--shard", shard}, k_program);
    ASSERT_TRUE(part.report.is_object()) << describe(part);
    merge.push_back(folder / (std::string(1, shard[0]) + ".json"));
    std::filesystem::rename(folder / "report.json", merge.back());
  }
  const Ran refused = command(folder, merge);
  EXPECT_EQ(refused.status, 2) << describe(refused);
  EXPECT_NE(refused.output.find("--profile differs"), std::string::npos) << describe(refused);
}

// Interrupts a run when it has its profile. It would not end by itself for a long time.
void begin_and_end(const Folder& folder, const Words& options, int signal) {
  Running running(folder, explore_command(folder, options + Words{"--schedules", "1000000"}, k_failing));
  for (int i = 0; i < 50000 && !std::filesystem::exists(folder / "profile.json"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  kill(signal == SIGINT ? running.pid() : -running.pid(), signal);
  EXPECT_NE(running.wait().status, 1) << "it had ended";
}

// Whoever goes on draws the samples that were still to come, and knows what the lessons have shown. The first
// run has made fewer when it ends: its parent looks ten times a second.
TEST(Profile, IsKeptByResume) {
  constexpr unsigned k_samples = 40'000;
  for (const int signal : {SIGINT, SIGKILL}) {
    const Folder folder, other;
    const auto options = [](const Folder& where) {
      return options_of(where, "surw") + Words{"--schedules", std::to_string(k_samples)};
    };
    begin_and_end(folder, options_of(folder, "surw"), signal);
    const Ran resumed = explore(folder, Words{"--resume"} + options(folder), k_failing);
    const Ran whole = explore(other, options(other), k_failing);
    EXPECT_EQ(resumed.output.find("begins anew"), std::string::npos) << describe(resumed);
    EXPECT_EQ(whole.report["schedules"], 64 + k_samples) << describe(whole);
    EXPECT_EQ(resumed.report["schedules"], 64 + k_samples) << describe(resumed);
    EXPECT_EQ(counts_of(whole.report), counts_of(resumed.report)) << describe(resumed);
    ASSERT_EQ(resumed.report["failures"].size(), 1u) << describe(resumed);
    EXPECT_EQ(resumed.report["failures"][0]["count"], whole.report["failures"][0]["count"]);
    EXPECT_TRUE(std::filesystem::is_empty(folder / ".reex/runs")) << "the states are left";
  }
}

TEST(Profile, OfAnotherRunDoesNotGoOn) {
  const Folder folder;
  const Words options = options_of(folder, "surw");
  begin_and_end(folder, options, SIGINT);
  std::filesystem::remove(folder / "profile.json");
  explore(folder, options_of(folder, "surw") + Words{"--seed", "7", "-o", folder / "elsewhere"}, k_failing);
  const Ran other = explore(folder, Words{"--resume"} + options, k_failing);
  EXPECT_EQ(other.status, 2) << describe(other);
  EXPECT_NE(other.output.find("another --profile"), std::string::npos) << describe(other);
}

// What fails in a lesson fails the test.
TEST(Profile, OfATestThatFailsIsNotWritten) {
  const Folder folder;
  const Ran ran =
      explore(folder, options_of(folder, "surw") + Words{"-k", "1", "--schedules", "1000"}, k_failing);
  EXPECT_EQ(ran.status, 1) << describe(ran);
  EXPECT_FALSE(std::filesystem::exists(folder / "profile.json")) << describe(ran);
}

// Who is killed leaves a whole profile, or none.
TEST(Profile, IsWholeOrNotThere) {
  const Folder reference;
  const Words options{"--strategy", "surw", "--seed", "5", "-k", "0", "--schedules", "2000", "--profile"};
  explore(reference, options + Words{reference / "profile.json"}, k_program);
  const std::string whole = read_file(reference / "profile.json");
  unsigned left = 0;
  for (unsigned i = 0; i < 20; ++i) {
    const Folder folder;
    Running running(folder, explore_command(folder, options + Words{folder / "profile.json"}, k_program));
    std::this_thread::sleep_for(std::chrono::milliseconds(20 * i));
    kill(-running.pid(), SIGKILL);
    running.wait();
    if (!std::filesystem::exists(folder / "profile.json")) continue;
    ++left;
    EXPECT_EQ(whole, read_file(folder / "profile.json"));
  }
  std::printf("%u of 20 were there\n", left);
}

// Of runs that learn at the same time, all draw from what the first one has written.
TEST(Profile, OfTheFirstIsTakenByAll) {
  const Folder folder;
  std::vector<std::unique_ptr<Folder>> folders;
  std::vector<std::unique_ptr<Running>> running;
  for (const char* seed : {"1", "2", "3"}) {
    folders.push_back(std::make_unique<Folder>());
    running.push_back(std::make_unique<Running>(
        *folders.back(),
        explore_command(*folders.back(), options_of(folder, "surw") + Words{"--seed", seed}, k_program)));
  }
  for (const auto& one : running) {
    const Ran ran = one->wait();
    EXPECT_EQ(ran.status, 0) << describe(ran);
    EXPECT_NE(ran.output.find("are drawn from the profile"), std::string::npos) << describe(ran);
  }
  unsigned files = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder.path()))
    files += file.is_regular_file() ? 1 : 0;
  EXPECT_EQ(files, 1u);
}

} // namespace
} // namespace reex::runtime_test
