// Executions do not see each other. A test that is not deterministic is reported and not explored.
#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;

const std::string k_program = REEX_PROGRAMS "/isolation";

// A semaphore of System V: what an execution does to it stays.
struct Counter {
  const int number = semget(IPC_PRIVATE, 1, 0600);
  Counter() = default;
  ~Counter() { semctl(number, 0, IPC_RMID); }
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;
};

const nlohmann::json* gap_of(const Ran& ran, const std::string& kind) {
  for (const nlohmann::json& gap : ran.report["gaps"])
    if (gap["kind"] == kind) return &gap;
  return nullptr;
}

TEST(SelfCheck, NamesBothOperations) {
  for (const char* isolation : {"restore", "fork"}) {
    const Folder folder;
    const Counter counter;
    const Ran ran = explore(folder, {"--isolation", isolation}, {k_program, "counts_executions"},
                            {{"COUNTER", std::to_string(counter.number)}});
    EXPECT_EQ(ran.status, 5) << describe(ran);
    ASSERT_TRUE(ran.report.is_object()) << describe(ran);
    EXPECT_EQ(ran.report["ended"], "nondeterministic") << describe(ran);
    EXPECT_EQ(ran.report["schedules"], 1) << describe(ran);
    const std::string error = ran.report["error"];
    const auto first = error.find("first thread 1 did ");
    const auto second = error.find(", then thread 1 did ");
    ASSERT_TRUE(first != std::string::npos && second != std::string::npos) << error;
    EXPECT_GT(second, first) << error;
    for (const char* operation : {"mutex lock at isolation.cpp:", "atomic load at isolation.cpp:"})
      EXPECT_NE(error.find(operation), std::string::npos) << error;
  }
}

// Then nothing is claimed. The audit does not take other outputs for something that threads have told each
// other.
TEST(SelfCheck, ComparesTheOutput) {
  for (const char* isolation : {"restore", "fork"})
    for (const auto& [program, scenario] :
         {std::pair(k_program.c_str(), "prints_real_time"), {REEX_PROGRAMS "/sockets", "prints_ports"}}) {
      const Folder folder;
      const Ran ran =
          explore(folder, {"--isolation", isolation, "--strategy", "icb", "--bound", "none", "--audit", "1"},
                  {program, scenario});
      EXPECT_EQ(ran.status, 0) << describe(ran);
      ASSERT_TRUE(ran.report.is_object()) << describe(ran);
      EXPECT_EQ(ran.report["control"]["isolation"], isolation) << describe(ran);
      EXPECT_EQ(ran.report["verdict"], "no-failure-found") << describe(ran);
      EXPECT_EQ(ran.report["ended"], "bound") << describe(ran);
      EXPECT_TRUE(ran.report["exhausted"].is_null()) << describe(ran);
      const nlohmann::json* gap = gap_of(ran, "output");
      ASSERT_NE(gap, nullptr) << describe(ran);
      EXPECT_EQ((*gap)["effect"], "claims");
      EXPECT_EQ(gap_of(ran, "reduction"), nullptr) << describe(ran);
    }
}

TEST(Isolation, WhatAnExecutionMakesOfSystemVGoesWithIt) {
  const Folder folder;
  const int key = getpid();
  const Ran ran =
      explore(folder, {"--schedules", "3", "--strategy", "random"},
              {REEX_PROGRAMS "/system_v", "made_and_left"}, {{"SYSTEM_V_KEY", std::to_string(key)}});
  EXPECT_EQ(ran.status, 0) << describe(ran);
  EXPECT_EQ(ran.report["schedules"], 3) << describe(ran);
  EXPECT_EQ(semget(key, 1, 0), -1); // nothing is left
}

TEST(Restore, StaysWhereTheTestOnlyAsks) {
  for (const auto& [scenario, isolation] :
       {std::pair("asks_the_system", "restore"), {"changes_a_limit", "fork"}}) {
    const Folder folder;
    const Ran ran = explore(folder, {}, {k_program, scenario});
    EXPECT_EQ(ran.status, 0) << describe(ran);
    EXPECT_EQ(ran.report["control"]["isolation"], isolation) << describe(ran);
  }
}

// What does not fail again is no failure, and the run is inconclusive.
TEST(ExecutedOnceMore, AFailureThatDoesNotFailAgain) {
  for (const Words& options :
       {Words{"--isolation", "restore"}, Words{"--isolation", "fork"}, Words{"-k", "0"}}) {
    const Folder folder;
    const Counter counter;
    const Ran ran =
        explore(folder, options, {k_program, "fails_once"}, {{"COUNTER", std::to_string(counter.number)}});
    EXPECT_EQ(ran.status, 3) << describe(ran);
    ASSERT_TRUE(ran.report.is_object()) << describe(ran);
    EXPECT_TRUE(ran.report["failures"].empty()) << describe(ran);
    EXPECT_TRUE(schedule_files(folder.path()).empty()) << describe(ran);
    EXPECT_NE(ran.report["exhausted"], true) << describe(ran);
    const nlohmann::json* gap = gap_of(ran, "not-repeated");
    ASSERT_NE(gap, nullptr) << describe(ran);
    EXPECT_EQ((*gap)["effect"], "verdict");
    const std::string detail = (*gap)["detail"];
    EXPECT_NE(detail.find("first an assertion failed (assertion `comes_again("), std::string::npos) << detail;
    EXPECT_NE(detail.find("executed once more, the process ended with exit status 0"), std::string::npos)
        << detail;
  }
}

TEST(ExecutedOnceMore, AFailureThatOnlyARestoreMakes) {
  for (const char* jobs : {"1", "2"}) {
    const Folder folder;
    const Ran ran = explore(folder, {"-j", jobs}, {k_program, "fails_after_a_restore"});
    EXPECT_EQ(ran.status, 0) << describe(ran);
    ASSERT_TRUE(ran.report.is_object()) << describe(ran);
    EXPECT_TRUE(ran.report["failures"].empty() && ran.report["exhausted"]) << describe(ran);
    EXPECT_EQ(ran.report["control"]["isolation"], "fork") << describe(ran);
    const std::string reason = ran.report["control"]["isolation_reason"];
    EXPECT_NE(reason.find("a restore does not bring back"), std::string::npos) << reason;
    if (jobs != std::string("1")) continue; // the first schedule of another worker may be one that fails
    EXPECT_NE(reason.find("failed after a restore, and not in a fresh process"), std::string::npos) << reason;
  }
}

TEST(ExecutedOnceMore, AFailureThatFailsInAnotherWay) {
  const Folder folder;
  const Counter counter;
  const Ran ran =
      explore(folder, {}, {k_program, "fails_in_two_ways"}, {{"COUNTER", std::to_string(counter.number)}});
  EXPECT_EQ(ran.status, 1) << describe(ran);
  ASSERT_EQ(ran.report["failures"].size(), 1U) << describe(ran);
  EXPECT_NE(ran.report["failures"][0]["message"].get<std::string>().find("again"), std::string::npos);
  EXPECT_NE(ran.output.find("ended in different ways"), std::string::npos) << describe(ran);
}

TEST(SelfCheck, DoesNotCount) {
  for (const char* isolation : {"restore", "fork"}) {
    const Folder folder;
    const std::string log = folder / "log";
    const Ran ran =
        explore(folder, {"--outcomes", "--schedules", "1", "--isolation", isolation, "--schedule-log", log},
                {REEX_PROGRAMS "/locks", "normal"});
    EXPECT_EQ(ran.report["schedules"], 1) << describe(ran);
    EXPECT_EQ(outcomes_of(ran.report).at("12").count, 1U) << describe(ran);
    const std::string lines = read_file(log);
    EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 1) << lines;
  }
}

// The self-check notices what a restore does not bring back. A fresh process distinguishes this from a test
// that is not deterministic. So it does if the first execution has a finding, whose report ends its process.
TEST(SelfCheck, ARestoreThatFallsShortIsLeftForFork) {
  for (const char* scenario : {"sets_register", "sets_register_and_leaves_a_thread"}) {
    const Folder folder;
    const Ran ran = explore(folder, {"--outcomes"}, {k_program, scenario});
    EXPECT_EQ(ran.status, 0) << describe(ran);
    ASSERT_TRUE(ran.report.is_object()) << describe(ran);
    EXPECT_EQ(ran.report["control"]["isolation"], "fork") << describe(ran);
    const std::string reason = ran.report["control"]["isolation_reason"];
    EXPECT_NE(reason.find("a restore does not bring back"), std::string::npos) << reason;
    EXPECT_NE(reason.find("isolation.cpp:"), std::string::npos) << reason;
    EXPECT_TRUE(outcomes_of(ran.report).contains("12") && outcomes_of(ran.report).contains("21"))
        << describe(ran);
  }
}

// There is one sequence, for all sources of random numbers and in every execution.
TEST(Random, IsTheSameInEveryExecution) {
  for (const char* scenario : {"random_numbers", "random_devices"}) {
    std::set<std::string> seen;
    for (const char* isolation : {"auto", "fork"}) {
      const Folder folder;
      const Ran ran = explore(
          folder, {"--outcomes", "--strategy", "random", "--schedules", "20", "--isolation", isolation},
          {k_program, scenario});
      EXPECT_EQ(ran.status, 0) << describe(ran);
      for (const auto& [text, how] : outcomes_of(ran.report)) seen.insert(text);
    }
    ASSERT_EQ(seen.size(), 1U) << scenario;
    std::istringstream words(*seen.begin());
    const std::set<std::string> numbers{std::istream_iterator<std::string>(words), {}};
    EXPECT_EQ(numbers.size(), scenario == std::string("random_numbers") ? 6U : 4U) << *seen.begin();
  }
}

// The resident memory of the largest process of the test, in kilobytes.
long resident(const std::vector<pid_t>& processes) {
  long most = 0;
  for (const pid_t process : processes) {
    std::istringstream status(read_file("/proc/" + std::to_string(process) + "/status"));
    for (std::string word; status >> word;)
      if (long size = 0; word == "VmRSS:" && status >> size) most = std::max(most, size);
  }
  return most;
}

bool running_still(pid_t process) {
  siginfo_t ended{};
  return waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         ended.si_pid == 0;
}

// scripts/soak.sh does this a million times. Without preemptions there are two schedules, which differ in the
// thread that begins. So the log has two different lines.
TEST(Soak, NeitherDriftsNorGrows) {
  constexpr int k_executions = 20000;
  const Folder folder;
  const std::string mark = "reex-soak-" + std::to_string(getpid());
  const std::string log = folder / "log";
  Running running(
      folder, explore_command(folder,
                              {"--outcomes", "--strategy", "random", "--bound", "0", "--schedules",
                               std::to_string(k_executions), "--isolation", "restore", "--schedule-log", log},
                              {k_program, "allocates_and_throws", mark}));
  long early = 0;
  long late = 0;
  const auto lines = [&] {
    const std::string text = read_file(log);
    return std::count(text.begin(), text.end(), '\n');
  };
  for (long done = 0; done < k_executions && running_still(running.pid());) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    done = lines();
    if (done < 1000 || done == k_executions) continue;
    late = resident(processes_with(mark));
    if (early == 0) early = late;
  }
  const Ran ran = running.wait();
  EXPECT_EQ(ran.status, 0) << describe(ran);
  EXPECT_EQ(ran.report["control"]["isolation"], "restore") << describe(ran);
  ASSERT_EQ(outcomes_of(ran.report).size(), 1U) << describe(ran);
  std::istringstream text(read_file(log));
  std::set<std::string> different;
  for (std::string line; std::getline(text, line);) different.insert(line);
  EXPECT_EQ(different.size(), 2U);
  EXPECT_LT(late, early + 2048) << "kilobytes, of " << early;
}

} // namespace
} // namespace reex::runtime_test
