// Several workers that share a search find the same as one worker: the same outcomes with the same counts,
// and the same first failure with the same choices.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;

std::string corpus(const std::string& name) { return REEX_CORPUS_BINARIES "/" + name; }

nlohmann::json outcomes_with(const std::string& jobs, const std::string& program, const Words& more) {
  const Folder folder;
  Words options{"--outcomes", "--keep-going", "0", "--jobs", jobs};
  options.insert(options.end(), more.begin(), more.end());
  const Ran ran = explore(folder, options, {program});
  EXPECT_TRUE(ran.report.is_object()) << describe(ran);
  return ran.report;
}

TEST(Jobs, MakeEachScheduleOnce) {
  for (const char* name :
       {"passes/semaphore/ping_pong", "fails/philosophers/left_first", "passes/lock_free/treiber_tagged"}) {
    for (const Words& more : {Words{"--bound", "none", "--reduction", "none"},
                              {"--bound", "1", "--isolation", "fork", "--reduction", "none"}}) {
      const nlohmann::json one = outcomes_with("1", corpus(name), more);
      for (const char* jobs : {"2", "3"}) {
        const nlohmann::json several = outcomes_with(jobs, corpus(name), more);
        EXPECT_EQ(one["schedules"], several["schedules"]) << name;
        EXPECT_EQ(outcomes_of(one), outcomes_of(several)) << name;
        EXPECT_EQ(one["exhausted"], several["exhausted"]) << name;
        EXPECT_EQ(one["bound_completed"], several["bound_completed"]) << name;
      }
    }
  }
}

TEST(Jobs, KeepOutcomesAndTheirFewestPreemptionsWithReduction) {
  for (const char* name :
       {"passes/semaphore/ping_pong", "fails/philosophers/left_first", "fails/lock_free/treiber_aba"}) {
    const auto seen = [&](const char* jobs) {
      const nlohmann::json report = outcomes_with(jobs, corpus(name), {"--bound", "none"});
      EXPECT_EQ(report["exhausted"], true) << report.dump(1);
      std::map<std::string, unsigned> fewest;
      for (const auto& [text, found] : outcomes_of(report)) fewest[text] = found.preemptions;
      return fewest;
    };
    EXPECT_EQ(seen("1"), seen("3")) << name;
  }
}

// The choices of the reported failure, and the accesses that were scheduling points.
std::string first_failure(const std::string& jobs, const std::string& name, const Words& more) {
  const Folder folder;
  Words options{"--jobs", jobs, "--output", folder.path(), "--races", "report"};
  options.insert(options.end(), more.begin(), more.end());
  const Ran ran = explore(folder, options, {corpus(name)});
  EXPECT_EQ(ran.status, 1) << describe(ran);
  const auto files = schedule_files(folder.path());
  if (files.empty()) return "";
  const nlohmann::json file = nlohmann::json::parse(read_file(files.front()));
  EXPECT_TRUE(ran.report["failures"].size() == 1 &&
              ran.report["failures"][0]["key"] == file["outcome"]["key"])
      << describe(ran);
  return file["decisions"].dump() + " with " + file["promoted"].dump();
}

TEST(Jobs, ReportTheFailureThatComesFirst) {
  const std::vector<std::pair<std::string, Words>> cases = {
      {"fails/philosophers/left_first", {}},
      {"fails/lock_free/treiber_aba", {"--reduction", "none"}},
      {"fails/reactive/rax_extended", {"--max-steps", "20", "--schedules", "1000"}},
      {"fails/semaphore/two_permits", {"--strategy", "random"}},
      // The search finds races, and begins a new round after each.
      {"fails/race/behind_another", {"--bound", "none"}},
      {"fails/race/lost_increment", {}},
      {"fails/memory/use_after_free", {}},
      {"fails/memory/mutex_in_freed_object", {"--bound", "none"}},
      {"fails/reactive/readers_writers", {"--max-steps", "30", "--schedules", "9000"}},
      // A sample, or a schedule of the frontier: whose turn comes first.
      {"fails/philosophers/left_first", {"--strategy", "auto"}},
      {"fails/condition/if_instead_of_while", {"--strategy", "auto", "--reduction", "none"}},
      {"fails/condition/unlocked_flag", {"--strategy", "auto"}},
      {"fails/lock_free/treiber_aba", {"--strategy", "auto", "--reduction", "none"}},
      {"fails/queue/check_then_act", {"--strategy", "auto"}},
      {"fails/semaphore/two_permits", {"--strategy", "auto"}},
      {"fails/race/lost_increment", {"--strategy", "auto"}},
      {"fails/init/published_too_early", {"--strategy", "auto"}},
  };
  for (const auto& [name, more] : cases) {
    const std::string one = first_failure("1", name, more);
    EXPECT_FALSE(one.empty()) << name;
    for (const char* jobs : {"2", "3"})
      EXPECT_EQ(one, first_failure(jobs, name, more)) << name << " -j " << jobs;
  }
}

// Whether a run has begun to keep its state: it begins with zero until then.
bool has_state(const Folder& folder) {
  std::error_code none;
  for (const auto& file : std::filesystem::directory_iterator(folder / ".reex/runs", none)) {
    std::ifstream state(file.path(), std::ios::binary);
    if (file.path().extension() == ".state" && state.get() > 0) return true;
  }
  return false;
}

// Only one of them keeps its state in the project's folder.
TEST(Jobs, RunBesideARunOfTheSameTestThatHasOneWorker) {
  const Folder folder;
  const std::string test = corpus("fails/queue/check_then_act");
  Running endless(folder, explore_command(folder,
                                          {"-k", "0", "--bound", "none", "--accesses", "all", "--reduction",
                                           "none", "--jobs", "1"},
                                          {test}));
  for (int tries = 0; tries < 5000 && !has_state(folder); ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  ASSERT_TRUE(has_state(folder)) << endless.output();
  const Ran beside = explore(folder, {"--jobs", "3"}, {test});
  EXPECT_EQ(beside.status, 1) << describe(beside);
  EXPECT_EQ(kill(endless.pid(), SIGINT), 0);
  EXPECT_EQ(endless.wait().status, 130);
}

// Any worker may be killed, even right after the start: it is started again. (resume_test.cpp compares the
// results.)
TEST(Jobs, GoOnWhereAWorkerIsKilled) {
  const Folder folder;
  const std::string mark = "jobs" + std::to_string(getpid());
  Running running(folder, explore_command(folder,
                                          {"--bound", "none", "--reduction", "none", "--keep-going", "0",
                                           "--jobs", "3", "--outcomes"},
                                          {corpus("passes/semaphore/ping_pong"), mark}));
  unsigned killed = 0;
  for (int tries = 0; tries < 200 && killed < 3; ++tries)
    for (const pid_t process : processes_with(mark))
      if (process != running.pid() && tries % 5 == 4 && killed < 3 && kill(process, SIGKILL) == 0) ++killed;
  const Ran ran = running.wait();
  ASSERT_TRUE(ran.report.is_object()) << describe(ran);
  std::uint64_t counted = 0;
  for (const auto& outcome : ran.report["outcomes"]) counted += outcome["count"].get<std::uint64_t>();
  EXPECT_EQ(ran.report["schedules"], counted) << describe(ran);
}

} // namespace
} // namespace reex::runtime_test
