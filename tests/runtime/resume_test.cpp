// A run of which any process is killed at any time, and which is then continued, ends like a run that was not
// disturbed.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;

const std::string k_queue = REEX_CORPUS_BINARIES "/fails/queue/check_then_act";

bool left_something(const Folder& folder) {
  std::error_code none;
  for (const auto& file : std::filesystem::directory_iterator(folder / ".reex/runs", none))
    if (file.path().extension() == ".state" && file.file_size() != 0) return true;
  return false;
}

// A descendant of the process. `generation` is 0 for the process itself, 1 for a test, 2 for a test's worker;
// `which` selects one of several. 0 if there is none.
pid_t descendant(pid_t process, unsigned generation, unsigned which) {
  for (; generation != 0 && process > 0; --generation) {
    std::ifstream file("/proc/" + std::to_string(process) + "/task/" + std::to_string(process) + "/children");
    std::vector<pid_t> children;
    for (pid_t child = 0; file >> child;) children.push_back(child);
    process = children.empty() ? 0 : children[which % children.size()];
  }
  return process;
}

// The part of a report that must be the same whatever happened. With several workers, it is not fixed which
// one was first.
nlohmann::json essence(nlohmann::json report, bool several_workers) {
  nlohmann::json kept;
  for (const char* member :
       {"schedules", "pruned", "bound_completed", "exhausted", "ended", "rounds", "promoted"})
    kept[member] = report[member];
  for (const auto& [text, seen] : outcomes_of(report))
    kept["outcomes"].push_back({text, seen.count, seen.preemptions});
  if (several_workers) {
    for (const auto& failure : report["failures"])
      kept["failures"][failure["key"].get<std::string>()] = failure["count"];
    return kept;
  }
  for (const auto& failure : report["failures"])
    kept["failures"].push_back({failure["key"], failure["count"], failure["schedule"], failure["where"]});
  for (const auto& finding : report["findings"])
    kept["findings"].push_back({finding["key"], finding["where"]});
  return kept;
}

void kill_and_go_on(const Words& options) {
  Words all = {"-k", "0", "--outcomes"};
  const bool several = std::find(options.begin(), options.end(), "--jobs") != options.end();
  all.insert(all.end(), options.begin(), options.end());
  nlohmann::json expected;
  {
    const Folder folder;
    const Ran whole = explore(folder, all, {k_queue});
    ASSERT_TRUE(whole.report.is_object()) << describe(whole);
    ASSERT_FALSE(whole.report["failures"].empty()) << describe(whole);
    expected = essence(whole.report, several);
    EXPECT_FALSE(left_something(folder));
  }
  const Folder folder;
  std::mt19937 random(7); // NOLINT: the same moments each time, as far as the machine allows it
  for (unsigned kills = 0; kills < 8; ++kills) {
    Words again = all;
    if (left_something(folder)) again.insert(again.begin(), "--resume");
    Running running(folder, explore_command(folder, again, {k_queue}));
    std::this_thread::sleep_for(std::chrono::milliseconds(100 + random() % 300));
    if (const pid_t process = descendant(running.pid(), random() % 3, random()); process > 0)
      kill(process, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 50));
    kill(running.pid(), SIGKILL);
    running.wait();
  }
  Words last = all;
  if (left_something(folder)) last.insert(last.begin(), "--resume");
  const Ran ran = explore(folder, last, {k_queue});
  ASSERT_TRUE(ran.report.is_object()) << describe(ran);
  EXPECT_EQ(expected, essence(ran.report, several)) << describe(ran);
}

TEST(Resume, NothingIsLostOrDoubled) {
  kill_and_go_on({"--bound", "6", "--accesses", "all", "--reduction", "none"});
}

TEST(Resume, InForkMode) {
  kill_and_go_on({"--bound", "3", "--accesses", "all", "--reduction", "none", "--isolation", "fork"});
}

TEST(Resume, OfSamples) {
  kill_and_go_on({"--bound", "none", "--strategy", "random", "--schedules", "200000"});
  kill_and_go_on({"--bound", "none", "--strategy", "surw", "--schedules", "100000"});
}

TEST(Resume, OfSeveralWorkers) {
  kill_and_go_on({"--bound", "6", "--accesses", "all", "--reduction", "none", "--jobs", "2"});
  kill_and_go_on({"--bound", "none", "--strategy", "random", "--schedules", "200000", "--jobs", "3"});
}

// Each worker goes on with the schedule that it was killed in, and one of them starts first. It does not wait
// for the other one before that could start.
TEST(Resume, OfWorkersThatWereAllInTheLastSchedules) {
  const std::vector<std::string> test{REEX_PROGRAMS "/endings", "takes_long"};
  for (const unsigned milliseconds : {500u, 800u, 1200u}) { // in some of them, at least
    const Folder folder;
    Words options = {"--jobs", "2", "--strategy", "icb", "--reduction", "none", "--schedules", "5"};
    Running running(folder, explore_command(folder, options, test));
    const auto worker = [&](unsigned which) { return descendant(running.pid(), 2, which); };
    const auto both_run = [&] { return worker(0) > 0 && worker(1) > 0 && worker(0) != worker(1); };
    for (unsigned tries = 0; tries < 10000 && !both_run(); ++tries)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    kill(running.pid(), SIGKILL);
    running.wait();
    ASSERT_TRUE(left_something(folder));
    options.insert(options.begin(), "--resume");
    const Ran ran = explore(folder, options, test);
    EXPECT_EQ(ran.status, 0) << describe(ran);
    EXPECT_EQ(ran.report["schedules"], 5) << describe(ran);
  }
}

TEST(Resume, OfSeveralWorkersInForkMode) {
  kill_and_go_on(
      {"--bound", "3", "--accesses", "all", "--reduction", "none", "--isolation", "fork", "--jobs", "3"});
}

// The parent is not killed, and starts each killed process again.
void kill_workers(const Words& options) {
  Words all = {"-k", "0", "--outcomes", "--accesses", "all", "--reduction", "none"};
  all.insert(all.end(), options.begin(), options.end());
  nlohmann::json expected;
  {
    const Folder folder;
    const Ran whole = explore(folder, all, {k_queue});
    ASSERT_TRUE(whole.report.is_object()) << describe(whole);
    expected = essence(whole.report, true);
  }
  const Folder folder;
  std::mt19937 random(11); // NOLINT: as above
  Running running(folder, explore_command(folder, all, {k_queue}));
  unsigned killed = 0;
  for (unsigned tries = 0; tries < 100 && killed < 6; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20 + random() % 60));
    const pid_t process = descendant(running.pid(), 1 + random() % 2, random());
    if (process > 0 && kill(process, SIGKILL) == 0) ++killed;
  }
  const Ran ran = running.wait();
  ASSERT_TRUE(ran.report.is_object()) << describe(ran);
  EXPECT_EQ(expected, essence(ran.report, true)) << describe(ran);
  EXPECT_NE(ran.output.find("killed from outside and started again"), std::string::npos) << describe(ran);
}

TEST(Resume, OfWhatTheParentOutlives) {
  kill_workers({"--bound", "6"});
  kill_workers({"--bound", "6", "--jobs", "2"});
  kill_workers({"--bound", "6", "--jobs", "3"});
}

// What the reduction has seen goes along: no schedule is executed twice.
TEST(Resume, GoesOnWithTheReduction) {
  const Words options = {"-k", "0", "--outcomes", "--bound", "6", "--accesses", "all"};
  const auto with = [&](const Folder& folder, Words words) {
    words.insert(words.end(), options.begin(), options.end());
    return explore(folder, words, {k_queue});
  };
  const Folder undisturbed;
  const Ran whole = with(undisturbed, {});
  ASSERT_TRUE(whole.report.is_object()) << describe(whole);
  const unsigned schedules = whole.report["schedules"];
  ASSERT_GT(schedules, 20u) << describe(whole);
  const Folder folder;
  for (const unsigned limit : {schedules / 4, schedules / 2}) {
    Words words = {"--schedules", std::to_string(limit)};
    if (left_something(folder)) words.insert(words.begin(), "--resume");
    with(folder, words);
    ASSERT_TRUE(left_something(folder));
  }
  const Ran last = with(folder, {"--resume"});
  nlohmann::json expected = essence(whole.report, false);
  nlohmann::json found = essence(last.report, false);
  for (nlohmann::json* report : {&expected, &found}) report->erase("pruned"); // or followed in memory
  EXPECT_EQ(expected, found) << describe(last);
}

// Who is killed leaves nothing of what the reduction has seen: the next one executes some schedules more, and
// finds the same.
TEST(Resume, FindsTheSameWithTheReductionAfterAKill) {
  const Words options = {"-k", "0", "--outcomes", "--bound", "6", "--accesses", "all"};
  const Folder undisturbed;
  const Ran whole = explore(undisturbed, options, {k_queue});
  ASSERT_TRUE(whole.report.is_object()) << describe(whole);
  const Folder folder;
  std::mt19937 random(13); // NOLINT: as above
  for (unsigned kills = 0; kills < 6; ++kills) {
    Words again = options;
    if (left_something(folder)) again.insert(again.begin(), "--resume");
    Running running(folder, explore_command(folder, again, {k_queue}));
    std::this_thread::sleep_for(std::chrono::milliseconds(60 + random() % 100));
    kill(running.pid(), SIGKILL);
    running.wait();
  }
  Words last = options;
  if (left_something(folder)) last.insert(last.begin(), "--resume");
  const Ran ran = explore(folder, last, {k_queue});
  ASSERT_TRUE(ran.report.is_object()) << describe(ran);
  const auto found = [](const nlohmann::json& report) {
    nlohmann::json all;
    for (const char* member : {"bound_completed", "exhausted", "ended"}) all[member] = report[member];
    for (const auto& [text, seen] : outcomes_of(report)) all["outcomes"].push_back({text, seen.preemptions});
    for (const auto& failure : report["failures"]) all["failures"].push_back(failure["key"]);
    return all;
  };
  EXPECT_EQ(found(whole.report), found(ran.report)) << describe(ran);
  EXPECT_GE(ran.report["schedules"], whole.report["schedules"]) << describe(ran);
}

// Ctrl-C makes reex write what is known, and print the command that continues the run.
TEST(Resume, AfterAnInterruption) {
  const Folder folder;
  const Words options = {"-k",         "0",   "--outcomes",  "--bound", "none",
                         "--accesses", "all", "--reduction", "none"};
  Running running(folder, explore_command(folder, options, {k_queue}));
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  kill(running.pid(), SIGINT);
  const Ran first = running.wait();
  EXPECT_EQ(first.status, 130) << describe(first);
  ASSERT_TRUE(first.report.is_object()) << describe(first);
  EXPECT_EQ(first.report["ended"], "interrupted") << describe(first);
  EXPECT_NE(first.output.find("--resume"), std::string::npos) << describe(first);
  ASSERT_TRUE(left_something(folder));
  for (const auto& file : std::filesystem::directory_iterator(folder / ".reex/runs"))
    EXPECT_LT(file.file_size(), 300U << 20) << file.path() << " is kept with its holes";
  Words more = options;
  more.insert(more.begin(),
              {"--resume", "--schedules", std::to_string(first.report["schedules"].get<int>() + 5)});
  const Ran second = explore(folder, more, {k_queue});
  EXPECT_EQ(second.report["schedules"], first.report["schedules"].get<int>() + 5) << describe(second);
}

// Findings of one execution are stored with one copy of its choices. Each comes back whole.
TEST(Resume, KnowsTheFindings) {
  const Folder folder;
  const std::vector<std::string> test{REEX_PROGRAMS "/endings", "two_races"};
  const Words options{"--strategy", "random", "--seed", "1", "--races", "report", "--schedules"};
  const auto with = [&](Words words, const char* schedules) {
    words.insert(words.end(), options.begin(), options.end());
    words.push_back(schedules);
    return explore(folder, words, test);
  };
  const Ran first = with({}, "3");
  const Ran second = with({"--resume"}, "6");
  EXPECT_EQ(second.report["schedules"], 6) << describe(second);
  std::size_t races = 0;
  for (const auto& finding : first.report["findings"]) {
    races += finding["kind"] == "data-race";
    const auto& all = second.report["findings"];
    EXPECT_NE(std::find(all.begin(), all.end(), finding), all.end()) << finding << describe(second);
  }
  EXPECT_GE(races, 2u) << describe(first);
}

TEST(Resume, RefusesWhatDoesNotFit) {
  const Folder folder;
  const Words tail = {"--accesses", "all", "--schedules", "10"};
  const auto with = [&](Words words) {
    words.insert(words.end(), tail.begin(), tail.end());
    return explore(folder, words, {k_queue});
  };
  const Ran none = with({"--resume"});
  EXPECT_NE(none.output.find("no run of this test was interrupted"), std::string::npos) << describe(none);
  const Ran anew = with({});
  EXPECT_EQ(none.status, anew.status) << describe(none);
  EXPECT_EQ(none.report["schedules"], anew.report["schedules"]) << describe(none);
  std::filesystem::remove_all(folder / ".reex/runs");
  with({"--bound", "3", "-k", "0"});
  ASSERT_TRUE(left_something(folder));
  const Ran other = with({"--resume", "--bound", "4", "-k", "0"});
  EXPECT_EQ(other.status, 2) << describe(other);
  EXPECT_NE(other.output.find("another --bound"), std::string::npos) << describe(other);
  const Ran jobs = with({"--resume", "--bound", "3", "-k", "0", "--jobs", "2"});
  EXPECT_EQ(jobs.status, 2) << describe(jobs);
  EXPECT_NE(jobs.output.find("another --jobs"), std::string::npos) << describe(jobs);
}

TEST(Resume, KnowsTheBinaryByItsContents) {
  const Folder folder;
  const std::string test = folder / "test";
  std::filesystem::copy_file(k_queue, test);
  const auto with = [&](Words words, const char* schedules) {
    words.insert(words.end(), {"-k", "0", "--accesses", "all", "--schedules", schedules});
    return explore(folder, words, {test});
  };
  with({}, "3");
  ASSERT_TRUE(left_something(folder));
  std::filesystem::copy_file(test, test + ".new");
  std::filesystem::rename(test + ".new", test);
  std::filesystem::last_write_time(test, std::filesystem::last_write_time(k_queue) - std::chrono::hours(1));
  const Ran same = with({"--resume"}, "6");
  EXPECT_EQ(same.report["schedules"], 6) << describe(same);
  ASSERT_TRUE(left_something(folder));
  std::ofstream(test, std::ios::app) << '\n';
  const Ran other = with({"--resume"}, "9");
  EXPECT_EQ(other.status, 2) << describe(other);
  EXPECT_NE(other.output.find("another build"), std::string::npos) << describe(other);
}

} // namespace
} // namespace reex::runtime_test
