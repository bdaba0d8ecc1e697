// How an exploration ends if the test does not end: limits, interruption, killed processes. Also what reex
// explores only with an option.
#include <array>
#include <chrono>
#include <csignal>
#include <regex>
#include <set>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;
using namespace std::chrono_literals;

const std::string k_endings = REEX_PROGRAMS "/endings";

// An argument that no other process has.
std::string mark() { return "reex-endings-" + std::to_string(getpid()); }

std::string words_of(const Ran& ran) { // without line breaks
  return std::regex_replace(ran.output, std::regex("\\s+"), " ");
}

template <class Condition>
bool soon(Condition condition) {
  for (int i = 0; i < 500; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

// An exploration that does not end. The constructor waits until its worker runs.
class Endless {
public:
  explicit Endless(const Words& options)
      : m_mark(mark()),
        m_running(m_folder, explore_command(m_folder, with(options), {k_endings, "large", m_mark})) {
    EXPECT_TRUE(soon([&] { return m_running.output().find("done") != std::string::npos; }))
        << m_running.output();
  }
  std::vector<pid_t> test_processes() const {
    std::vector<pid_t> found = processes_with(m_mark);
    std::erase(found, m_running.pid());
    return found;
  }
  Running& running() { return m_running; }

private:
  static Words with(Words options) {
    options.insert(options.end(), {"--bound", "none", "--keep-going", "0"});
    return options;
  }
  Folder m_folder;
  std::string m_mark;
  Running m_running;
};

TEST(Refusals, NameWhatTheTestUses) {
  const std::array<std::string, 3> rows[] = {
      {REEX_PROGRAMS "/signal_descriptors", "copied", "a copy of a descriptor of signalfd"},
      {REEX_PROGRAMS "/pipes", "many_timers", "more than 64 descriptors of timers at once"},
      {k_endings, "user_of_one_thread", "a user or group of one thread alone"}};
  for (const auto& [program, scenario, name] : rows) {
    const Folder folder;
    const Ran ran = explore(folder, {}, {program, scenario});
    EXPECT_EQ(ran.status, 5) << describe(ran);
    EXPECT_NE(ran.output.find(name), std::string::npos) << describe(ran);
  }
}

TEST(Asynchronous, ARequestRacesWithItsBuffersChange) {
  const Folder folder;
  const Ran ran = explore(folder, {}, {REEX_PROGRAMS "/asynchronous", "changed_too_early"});
  EXPECT_EQ(ran.status, 1) << describe(ran);
  EXPECT_NE(ran.output.find("1 data race"), std::string::npos) << describe(ran);
}

TEST(Refusals, AnEndThatNobodySees) {
  for (const char* isolation : {"restore", "fork"})
    for (const auto& [scenario, words] : {std::pair{"exits_in_assembly", "by a system call of its own"},
                                          {"exits_by_number", "the system call exit"}}) {
      const Folder folder;
      const Ran ran = explore(folder, {"--isolation", isolation}, {k_endings, scenario});
      EXPECT_EQ(ran.status, 5) << describe(ran);
      EXPECT_NE(words_of(ran).find(words), std::string::npos) << describe(ran);
    }
  const Folder folder;
  EXPECT_EQ(explore(folder, {}, {k_endings, "ends_by_number"}).status, 0);
}

TEST(Limits, StepsEndAnEndlessLoop) {
  for (const char* scenario : {"counts_for_ever", "spins_and_counts_for_ever", "sometimes_endless"}) {
    const Folder folder;
    const Ran ran = explore(folder, {"--max-steps", "500", "--outcomes", "-k", "0"}, {k_endings, scenario});
    EXPECT_EQ(ran.status, 3) << describe(ran);
    ASSERT_TRUE(ran.report.is_object()) << describe(ran);
    EXPECT_GT(ran.report["inconclusive"]["step_limit"], 0) << describe(ran);
    EXPECT_TRUE(ran.report["failures"].empty()) << describe(ran);
    EXPECT_NE(words_of(ran).find(" at endings.cpp:"), std::string::npos) << describe(ran);
    EXPECT_TRUE(ran.report["exhausted"].is_null()) << describe(ran);
    EXPECT_EQ(ran.output.find("PASSED"), std::string::npos) << describe(ran);
  }
}

TEST(Limits, ALoopThatIsLeftIsAGap) {
  for (const char* reduction : {"none", "auto"}) {
    for (const char* bound : {"1", "2"}) {
      const Folder folder;
      const Ran ran = explore(folder, {"--bound", bound, "--reduction", reduction, "--jobs", "1"},
                              {k_endings, "spins_and_counts"});
      EXPECT_EQ(ran.status, 0) << describe(ran);
      const bool gap = *bound == '2'; // one to leave main before its store, and one for the loop to go on
      EXPECT_EQ(ran.report["inconclusive"]["loops_cut"] > 0, gap) << describe(ran);
      EXPECT_EQ(ran.report["bound_completed"].is_null(), gap) << describe(ran);
      EXPECT_EQ(ran.report["exhausted"].is_null(), gap) << describe(ran);
      EXPECT_NE(ran.report["exhausted"], true) << describe(ran);
      EXPECT_EQ(ran.report["verdict"], gap ? "no-failure-found" : "passed") << describe(ran);
      EXPECT_EQ(words_of(ran).find("a loop that reads the same") != std::string::npos, gap) << describe(ran);
    }
  }
}

// The loop's state comes back after several turns, so the loop is proven to be a spin.
TEST(Limits, ABackOffWithALimitIsNoGap) {
  for (const char* reduction : {"none", "auto"}) {
    const Folder folder;
    const Ran ran = explore(folder, {"--reduction", reduction}, {k_endings, "spins_with_capped_back_off"});
    EXPECT_EQ(ran.status, 0) << describe(ran);
    EXPECT_EQ(ran.report["inconclusive"]["loops_cut"], 0) << describe(ran);
    EXPECT_EQ(ran.report["bound_completed"], 2) << describe(ran);
  }
}

TEST(Livelock, OfPollingUnderALockAndOfBackingOff) {
  for (const char* isolation : {"restore", "fork"}) {
    for (const char* scenario : {"poll_for_each_other", "backs_off_for_ever"}) {
      const Folder folder;
      const Ran ran = explore(folder, {"--isolation", isolation}, {k_endings, scenario});
      EXPECT_EQ(ran.status, 1) << describe(ran);
      ASSERT_EQ(ran.report["failures"].size(), 1U) << describe(ran);
      EXPECT_EQ(ran.report["failures"][0]["kind"], "livelock") << describe(ran);
    }
  }
}

TEST(Livelock, IsNotClaimedWhereAFunctionWithoutHooksRemembers) {
  for (const char* isolation : {"restore", "fork"}) {
    const Folder folder;
    const Ran ran = explore(folder, {"--isolation", isolation}, {k_endings, "spins_until_impatient"});
    EXPECT_EQ(ran.status, 0) << describe(ran);
    EXPECT_TRUE(ran.report["failures"].empty()) << describe(ran);
  }
}

TEST(Livelock, IsNotClaimedOfALoopThatCountsInARegister) {
  for (const std::string turn :
       {"store", "modify", "compare", "load_of_any_size", "lock_mutex", "try_mutex", "lock_for_reading",
        "lock_for_writing", "lock_spin_lock", "pass_semaphore", "yield"}) {
    for (const char* in : {"rbx", "r12", "r13", "r14", "r15"}) {
      const Folder folder;
      const Ran ran = explore(folder, {"--strategy", "random", "--schedules", "10"},
                              {REEX_PROGRAMS "/counted_loops", turn + "_" + in});
      EXPECT_EQ(ran.status, 0) << describe(ran);
    }
  }
}

TEST(Livelock, IsNotSuspectedOfALoopWhoseLockWasGivenBack) {
  for (const char* scenario : {"takes_what_was_cleared", "takes_what_was_taken_back"}) {
    const Folder folder;
    const Ran ran = explore(folder, {}, {k_endings, scenario});
    EXPECT_EQ(ran.status, 0) << scenario << describe(ran);
    EXPECT_TRUE(ran.report["failures"].empty()) << scenario << describe(ran);
  }
}

TEST(Livelock, EndsTheExecutionAtOnce) {
  for (const char* isolation : {"restore", "fork"}) {
    for (const auto& [scenario, spinning] :
         {std::pair("spin_for_ever", 1U), std::pair("spin_for_each_other", 2U)}) {
      const Folder folder;
      const Ran ran = explore(folder, {"--isolation", isolation}, {k_endings, scenario});
      EXPECT_EQ(ran.status, 1) << describe(ran);
      ASSERT_EQ(ran.report["failures"].size(), 1U) << describe(ran);
      const auto& failure = ran.report["failures"][0];
      EXPECT_EQ(failure["kind"], "livelock") << describe(ran);
      EXPECT_LT(ran.report["control"]["scheduling_points"], 400) << describe(ran);
      const auto message = failure["message"].get<std::string>();
      const std::regex words("thread \\d spins: reads .* at endings.cpp:\\d+");
      EXPECT_EQ(std::distance(std::sregex_iterator(message.begin(), message.end(), words), {}), spinning)
          << describe(ran);
    }
  }
}

TEST(Limits, OnlyThreadsThatSeemToSpin) {
  for (const auto& [scenario, livelock] :
       {std::pair("spins_and_counts_for_ever", true), std::pair("counts_for_ever", false)}) {
    const Folder folder;
    const Ran ran = explore(folder, {"--max-steps", "500", "--bound", "1"}, {k_endings, scenario});
    EXPECT_EQ(ran.status, 3) << describe(ran);
    const auto& open = ran.report["inconclusive"];
    EXPECT_GT(open["step_limit"], 0) << describe(ran);
    EXPECT_EQ(open["livelock"], livelock ? open["step_limit"].get<int>() : 0) << describe(ran);
    EXPECT_EQ(words_of(ran).find("threads that seem to spin") != std::string::npos, livelock)
        << describe(ran);
  }
}

TEST(Limits, MemoryEndsWhatAsksForEver) {
  for (const char* isolation : {"restore", "fork"}) {
    const Folder folder;
    const Words options{"--memory-limit", "64MiB", "--outcomes", "--isolation", isolation};
    const Ran ran = explore(folder, options, {k_endings, "allocates_for_ever"});
    EXPECT_EQ(ran.status, 3) << describe(ran);
    EXPECT_TRUE(ran.report["failures"].empty()) << describe(ran);
    EXPECT_TRUE(ran.report["exhausted"].is_null()) << describe(ran);
    const Outcomes seen = outcomes_of(ran.report);
    ASSERT_EQ(seen.size(), 2U) << describe(ran);
    EXPECT_TRUE(seen.contains("1")) << describe(ran);
    ASSERT_TRUE(seen.contains(" (memory-limit)")) << describe(ran);
    EXPECT_EQ(ran.report["inconclusive"]["memory_limit"], seen.at(" (memory-limit)").count) << describe(ran);
    const std::string words = words_of(ran);
    EXPECT_NE(words.find("ended at the memory limit; the first in thread 2"), std::string::npos) << words;
    EXPECT_NE(words.find("--memory-limit SIZE gives more"), std::string::npos) << words;
  }
}

TEST(StackOverflow, IsNamedInEveryThread) {
  for (const auto& [program, scenario, words] :
       {std::tuple("threads", "stack_overflow", "stack overflow in thread 1 at threads.cpp:"),
        std::tuple("endings", "main_stack_overflow", "stack overflow in thread 0 at endings.cpp:")})
    for (const char* isolation : {"restore", "fork"}) {
      const Folder folder;
      const Ran ran =
          explore(folder, {"--isolation", isolation}, {REEX_PROGRAMS "/" + std::string(program), scenario});
      EXPECT_EQ(ran.status, 1) << describe(ran);
      ASSERT_EQ(ran.report["failures"].size(), 1U) << describe(ran);
      EXPECT_EQ(ran.report["failures"][0]["kind"], "signal") << describe(ran);
      EXPECT_EQ(ran.report["failures"][0]["message"].get<std::string>().find(words), 0U) << describe(ran);
    }
}

TEST(Deadlock, SaysWhereWhatIsHeldWasAcquired) {
  const struct {
    std::string program;
    const char* scenario;
    std::vector<std::string> words;
  } table[] = {
      {REEX_CORPUS_BINARIES "/fails/deadlock/ab_ba",
       "",
       {"T1 waits for mutex to_account held by T2; T2 locked it at ab_ba.cpp:1\\d \\(",
        "T2 waits for mutex from_account held by T1; T1 locked it at ab_ba.cpp:\\d+ \\("}},
      {k_endings,
       "readers_become_writers",
       {"T1 waits for rwlock#1 held by itself and T2; T1 locked it at endings.cpp:\\d+ \\(.*\\); T2 locked "
        "it at"}},
      {k_endings,
       "waits_with_the_lock",
       {"T1 waits for mutex outer held by T2; T2 locked it at endings.cpp:\\d+ \\(.*wait_with\\)"}},
      {k_endings,
       "locks_by_helpers",
       {"T2 locked it at endings.cpp:\\d+ \\([^ ]*from_right_to_left\\)",
        "T1 locked it at endings.cpp:\\d+ \\([^ ]*from_left_to_right\\)",
        "mutex lock right.m_lock endings.cpp:\\d+ [| ]*const Closed first\\(right\\);"}},
  };
  for (const auto& [program, scenario, words] : table) {
    const Folder folder;
    const Ran ran = explore(folder, {}, *scenario == 0 ? Words{program} : Words{program, scenario});
    EXPECT_EQ(ran.status, 1) << describe(ran);
    for (const std::string& text : words)
      EXPECT_TRUE(std::regex_search(words_of(ran), std::regex(text))) << text << '\n' << describe(ran);
  }
}

// An execution that is cut off is done once more for the stacks of its race, and cut off there.
TEST(Limits, AFindingOfAnEndlessExecution) {
  const Folder folder;
  const Ran ran = explore(folder, {"--strategy", "icb", "--schedules", "20", "--bound", "1"},
                          {k_endings, "races_and_counts_for_ever"});
  EXPECT_EQ(ran.status, 1) << describe(ran);
  EXPECT_EQ(ran.report["failures"][0]["kind"], "race") << describe(ran);
  EXPECT_LT(ran.report["control"]["scheduling_points"], 1000000) << describe(ran);
}

// Natively it would go on for ever, too. Others fail, and need not wait for it.
TEST(Limits, ALongFirstExecutionGivesWayToAFewOthers) {
  for (const Words& options : {Words{"--strategy", "auto"}, Words{"--strategy", "auto", "-j", "2"}}) {
    const Folder folder;
    const Ran ran = explore(folder, options, {k_endings, "first_works_for_ever"});
    EXPECT_EQ(ran.status, 1) << describe(ran);
    EXPECT_EQ(ran.report["failures"][0]["kind"], "abort") << describe(ran);
    EXPECT_LT(ran.report["control"]["scheduling_points"], 1000000) << describe(ran);
    EXPECT_NE(ran.report["notes"].dump().find("after 250000 steps"), std::string::npos) << describe(ran);
  }
}

// A race alone does not end the search.
TEST(Limits, AFewOthersWithARaceAreFollowedByMore) {
  const Folder folder;
  const Ran ran = explore(folder, {"--strategy", "auto", "--schedules", "24"},
                          {k_endings, "two_race_and_count_for_ever"});
  EXPECT_EQ(ran.status, 1) << describe(ran);
  EXPECT_EQ(ran.report["schedules"], 24) << describe(ran);
}

// Those that are cut off early do not let a sleep end beside work that is not done yet.
TEST(Limits, AFewOthersArePatient) {
  const Folder folder;
  const Ran ran =
      explore(folder, {"--strategy", "auto", "--schedules", "6"}, {k_endings, "sleeps_beside_long_work"});
  EXPECT_EQ(ran.status, 0) << describe(ran);
  EXPECT_EQ(ran.report["schedules"], 6) << describe(ran);
}

// A short budget is not spent on a few: others have half of it.
TEST(Limits, ALongFirstExecutionLeavesTimeForOthers) {
  const Folder folder;
  const Ran ran =
      explore(folder, {"--strategy", "auto", "--budget", "6s"}, {k_endings, "first_works_for_ever"});
  EXPECT_EQ(ran.status, 1) << describe(ran);
  EXPECT_EQ(ran.report["failures"][0]["kind"], "abort") << describe(ran);
  EXPECT_NE(ran.report["notes"].dump().find("half of its time"), std::string::npos) << describe(ran);
}

// Where a few others came to no end, more of them would have no verdict either. Whether the first execution
// is thrown away at all depends on what else the machine does.
TEST(Limits, ALongFirstExecutionHasMoreTimeIfOthersAreLong) {
  Ran ran;
  const char* const note = "had not come to its end in three quarters of its time";
  for (int tries = 0; tries < 3; ++tries) {
    const Folder folder;
    ran = explore(folder, {"--strategy", "auto", "--budget", "11s"}, {k_endings, "two_count_for_ever"});
    if (ran.report["notes"].dump().find(note) != std::string::npos) break;
  }
  EXPECT_EQ(ran.status, 3) << describe(ran);
  EXPECT_NE(ran.report["notes"].dump().find(note), std::string::npos) << describe(ran);
}

// The few end when they have had a quarter of the time. Three quarters of what it all takes are too little
// for all of the few, the first execution and its check; without most of the few they are enough. What the
// machine does meanwhile changes between the two runs, so it is tried three times.
TEST(Limits, AFewOthersLeaveTimeForALongFirstExecution) {
  using Clock = std::chrono::steady_clock;
  Ran ran;
  for (int tries = 0; tries < 3; ++tries) {
    const Folder folder;
    const auto begin = Clock::now();
    ran = explore(folder, {"--strategy", "random", "--schedules", "1"}, {k_endings, "works_slowly"});
    ASSERT_EQ(ran.status, 0) << describe(ran);
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
    const std::string budget = std::to_string(took.count() / 4 * 3) + "ms";
    ran = explore(folder, {"--strategy", "random", "--schedules", "1", "--budget", budget},
                  {k_endings, "works_slowly"});
    if (ran.status == 0) break;
  }
  EXPECT_EQ(ran.status, 0) << describe(ran);
  EXPECT_EQ(ran.report["schedules"], 1) << describe(ran);
}

// If the first execution is endless, the others end at the strategy's step limit.
TEST(Limits, RandomSchedulesMayBeLonger) {
  constexpr int k_first = 32000000;
  for (const auto& [strategy, steps] : {std::pair("icb", 20000), std::pair("random", 200000)}) {
    const Folder folder;
    const Ran ran =
        explore(folder, {"--strategy", strategy, "--schedules", "2"}, {k_endings, "two_count_for_ever"});
    EXPECT_EQ(ran.status, 3) << describe(ran);
    EXPECT_EQ(ran.report["inconclusive"]["step_limit"], 2) << describe(ran);
    EXPECT_NEAR(ran.report["control"]["scheduling_points"], k_first + steps, 20) << describe(ran);
  }
}

// A test's own length says how long is too long, for each way to execute and with several workers.
TEST(Limits, ALongTestIsNotTooLong) {
  const std::vector<std::vector<std::string>> ways = {
      {}, {"--isolation", "fork"}, {"-j", "2"}, {"--strategy", "dfs"}};
  for (std::vector<std::string> options : ways) {
    options.insert(options.end(), {"--schedules", "4"});
    const Folder folder;
    const Ran ran = explore(folder, options, {k_endings, "counts_long"});
    EXPECT_EQ(ran.status, 0) << describe(ran);
    EXPECT_EQ(ran.report["schedules"], 4) << describe(ran);
    EXPECT_GT(ran.report["control"]["scheduling_points"], 4 * 30000) << describe(ran);
  }
  const Folder folder;
  const Ran limited =
      explore(folder, {"--schedules", "4", "--max-steps", "20000"}, {k_endings, "counts_long"});
  EXPECT_EQ(limited.status, 3) << describe(limited);
  EXPECT_EQ(limited.report["inconclusive"]["step_limit"], 4) << describe(limited);
}

// Longer than what is recorded of one execution, and than ten times that. A search that keeps alternatives
// has room for some of them only, and does not claim a bound.
TEST(Limits, AVeryLongTestIsNotTooLong) {
  for (const std::string strategy : {"random", "icb"}) {
    const Folder folder;
    const Ran ran =
        explore(folder, {"--strategy", strategy, "--schedules", "2"}, {k_endings, "counts_very_long"});
    EXPECT_EQ(ran.status, 0) << describe(ran);
    EXPECT_EQ(ran.report["schedules"], 2) << describe(ran);
    EXPECT_GT(ran.report["control"]["scheduling_points"], 2 * 11000000) << describe(ran);
    EXPECT_EQ(ran.report["bound_completed"], nullptr) << describe(ran);
  }
}

// A report holds a stack for each block that was allocated or freed.
TEST(Failures, AfterManyBlocks) {
  const Folder folder;
  const Ran ran = explore(folder, {}, {k_endings, "fails_after_many_blocks"});
  EXPECT_EQ(ran.status, 1) << describe(ran);
  ASSERT_EQ(ran.report["failures"].size(), 1U) << describe(ran);
  EXPECT_EQ(ran.report["failures"][0]["kind"], "abort") << describe(ran);
}

// Its failure can be executed again, too, although it is beyond the limit for tests that are short.
TEST(Limits, ALongTestFailsAndIsReplayed) {
  const Folder folder;
  const Ran ran = explore(folder, {"--bound", "0"}, {k_endings, "counts_long_and_fails"});
  EXPECT_EQ(ran.status, 1) << describe(ran);
  ASSERT_EQ(ran.report["failures"].size(), 1U) << describe(ran);
  EXPECT_EQ(ran.report["failures"][0]["kind"], "abort") << describe(ran);
  const std::string file = ran.report["failures"][0]["replay"];
  const Ran replayed = command(folder, {"replay", file});
  EXPECT_EQ(replayed.status, 1) << describe(replayed);
}

TEST(Limits, AFailureWinsOverAnEndlessLoop) {
  const Folder folder;
  const Ran ran = explore(folder, {"--max-steps", "500", "-k", "0"}, {k_endings, "endless_or_failing"});
  EXPECT_EQ(ran.status, 1) << describe(ran);
  EXPECT_GT(ran.report["inconclusive"]["step_limit"], 0) << describe(ran);
  ASSERT_EQ(ran.report["failures"].size(), 1U) << describe(ran);
  EXPECT_EQ(ran.report["failures"][0]["kind"], "abort");
}

TEST(Limits, NoProgressNamesWhatRunsWhere) {
  for (const auto& [scenario, words] :
       {std::pair("computes_for_ever",
                  "endings\\.cpp:\\d+ \\(.*count_in_a_loop\\(?\\)?\\), which runs for long"),
        {"waits_in_the_kernel", "endings\\.cpp:\\d+ \\(.*sleep_in_the_kernel\\(?\\)?\\), which waits in the "
                                "system call nanosleep"}}) {
    const Folder folder;
    const Ran ran = explore(folder, {"--schedules", "1", "--hang-after", "500ms", "--isolation", "fork"},
                            {k_endings, scenario});
    EXPECT_EQ(ran.status, 3) << describe(ran);
    EXPECT_EQ(ran.report["inconclusive"]["watchdog"], 1) << describe(ran);
    EXPECT_TRUE(std::regex_search(words_of(ran), std::regex(words))) << describe(ran);
  }
}

// Ended by the budget, and not by the watchdog.
TEST(Limits, ABudgetThatEndsInTheOnlyExecutionNamesItsPlace) {
  const Folder folder;
  const Ran ran = explore(folder, {"--budget", "500ms"}, {k_endings, "computes_for_ever"});
  EXPECT_EQ(ran.status, 3) << describe(ran);
  EXPECT_EQ(ran.report["schedules"], 0) << describe(ran);
  EXPECT_EQ(ran.report["inconclusive"]["watchdog"], 0) << describe(ran);
  const std::regex place("the first stood in thread 1 at endings\\.cpp:\\d+ \\(.*count_in_a_loop");
  EXPECT_TRUE(std::regex_search(words_of(ran), place)) << describe(ran);
}

// The processes after one that was killed begin with no output of its.
TEST(Limits, ExecutionsAfterAHangPrintWhatTheyPrint) {
  for (const char* const isolation : {"fork", "restore"}) {
    const Folder folder;
    const Ran ran = explore(
        folder,
        {"--schedules", "26", "-k", "0", "--outcomes", "--hang-after", "200ms", "--isolation", isolation},
        {k_endings, "waits_in_the_kernel_or_prints"});
    EXPECT_GT(ran.report["inconclusive"]["watchdog"], 0) << describe(ran);
    std::set<std::string> texts;
    for (const auto& [text, seen] : outcomes_of(ran.report)) texts.insert(text);
    EXPECT_EQ(texts, (std::set<std::string>{"mw", "wm", " (watchdog)"})) << describe(ran);
  }
}

TEST(Limits, AThreadThatNeverComesBackIsEnded) {
  const Folder folder;
  const Ran ran =
      explore(folder, {"--schedules", "1", "--hang-after", "1s"}, {REEX_PROGRAMS "/plain", "busy"});
  EXPECT_EQ(ran.status, 3) << describe(ran);
  EXPECT_EQ(ran.report["inconclusive"]["watchdog"], 1) << describe(ran);
  EXPECT_EQ(ran.output.find("PASSED"), std::string::npos) << describe(ran);
  const std::regex place("in\\s+thread\\s+1\\s+at\\s+plain\\.cpp:"); // with any line breaks
  EXPECT_TRUE(std::regex_search(ran.output, place)) << describe(ran);
  EXPECT_LT(ran.seconds, 40) << describe(ran);
}

TEST(Limits, BudgetHolds) {
  for (const char* isolation : {"restore", "fork"}) {
    const Folder folder;
    const Words options{"--budget", "1s", "--bound", "none", "--isolation", isolation};
    const Ran ran = explore(folder, options, {k_endings, "large"});
    EXPECT_EQ(ran.status, 0) << describe(ran);
    EXPECT_EQ(ran.report["ended"], "budget") << describe(ran);
    EXPECT_EQ(ran.report["exhausted"], false) << describe(ran);
    EXPECT_LT(ran.seconds, 5) << describe(ran);
  }
  const Folder folder;
  const Ran strict = explore(folder, {"--budget", "1s", "--bound", "none", "--strict"}, {k_endings, "large"});
  EXPECT_EQ(strict.status, 3) << describe(strict);
}

TEST(Limits, SchedulesAreCounted) {
  const Folder folder;
  const Ran ran = explore(folder, {"--schedules", "123", "--outcomes"}, {k_endings, "large"});
  EXPECT_EQ(ran.report["schedules"], 123) << describe(ran);
  EXPECT_EQ(ran.report["ended"], "schedule_limit") << describe(ran);
}

TEST(Control, WithoutThreadsIsNoSuccess) {
  const Folder folder;
  const Ran ran = explore(folder, {}, {k_endings, "no_threads"});
  EXPECT_EQ(ran.status, 5) << describe(ran);
}

TEST(Control, TimersThatAreSetWithoutThreadsAreNoSuccess) {
  for (const char* scenario : {"timer_without_threads", "timer_descriptor_without_threads"}) {
    const Folder folder;
    const Ran ran = explore(folder, {}, {k_endings, scenario});
    EXPECT_EQ(ran.status, 5) << describe(ran);
    EXPECT_EQ(ran.report["error_kind"], "no_threads") << describe(ran);
    EXPECT_TRUE(ran.report["gaps"].empty()) << describe(ran);
  }
}

TEST(Control, TimersEndPollsBeforeTheFirstThread) {
  for (const char* isolation : {"restore", "fork"}) {
    const Folder folder;
    const Ran ran = explore(folder, {"--isolation", isolation}, {k_endings, "polls_before_threads"});
    EXPECT_EQ(ran.status, 0) << describe(ran);
  }
}

TEST(Control, AnUninstrumentedProgramIsToldSo) {
  const Folder folder;
  const Ran ran = explore(folder, {}, {REEX_PROGRAMS "/plain", "in_turn"});
  EXPECT_EQ(ran.status, 0) << describe(ran);
  EXPECT_NE(ran.output.find("not instrumented"), std::string::npos) << describe(ran);
}

TEST(Interruption, ReportsWhatWasDone) {
  for (const int signal : {SIGINT, SIGTERM}) {
    Endless endless({"--outcomes"});
    kill(endless.running().pid(), signal);
    const Ran ran = endless.running().wait(20s);
    EXPECT_EQ(ran.status, 130) << describe(ran);
    ASSERT_TRUE(ran.report.is_object()) << describe(ran);
    EXPECT_EQ(ran.report["ended"], "interrupted") << describe(ran);
    EXPECT_GT(ran.report["schedules"], 0) << describe(ran);
    EXPECT_FALSE(ran.report["outcomes"].empty()) << describe(ran);
    EXPECT_TRUE(soon([&] { return endless.test_processes().empty(); }));
  }
}

TEST(Killed, ReexLeavesNoProcess) {
  for (const char* isolation : {"restore", "fork"}) {
    Endless endless({"--isolation", isolation});
    EXPECT_FALSE(endless.test_processes().empty());
    kill(endless.running().pid(), SIGKILL);
    endless.running().wait(20s);
    EXPECT_TRUE(soon([&] { return endless.test_processes().empty(); }));
  }
}

// If something else kills a worker (lack of memory), this costs one execution and not the exploration.
TEST(Killed, AWorkerIsReplaced) {
  Endless endless({"--schedules", "60000"});
  const std::vector<pid_t> processes = endless.test_processes();
  ASSERT_GE(processes.size(), 2U);
  kill(processes.back(), SIGKILL);
  const Ran ran = endless.running().wait();
  EXPECT_EQ(ran.report["schedules"], 60000) << describe(ran);
  EXPECT_EQ(ran.report["ended"], "schedule_limit") << describe(ran);
  EXPECT_TRUE(soon([&] { return endless.test_processes().empty(); }));
}

struct OnRequest {
  const char* scenario;
  const char* option;
  std::vector<std::string> without;
  std::vector<std::string> with;
};

TEST(OnRequest, TimeoutsAndSpuriousWakeUps) {
  const OnRequest table[] = {
      {"waits_with_timeout", "--timeouts", {"in time"}, {"in time", "late"}},
      {"locks_with_timeout", "--timeouts", {"in time"}, {"in time", "late"}},
      {"polls_with_timeout", "--timeouts", {"in time"}, {"in time", "late"}},
      {"wait_without_loop", "--spurious", {"ready"}, {"not ready", "ready"}},
      {"weak_exchange", "--spurious", {"1"}, {"1", "2"}},
  };
  for (const OnRequest& row : table)
    for (const char* isolation : {"restore", "fork"})
      for (const bool asked : {false, true}) {
        const Folder folder;
        Words options{"--outcomes", "--isolation", isolation};
        if (asked) options.push_back(row.option);
        const Ran ran = explore(folder, options, {k_endings, row.scenario});
        std::vector<std::string> seen;
        for (const auto& [text, how] : outcomes_of(ran.report)) seen.push_back(text);
        EXPECT_EQ(seen, asked ? row.with : row.without) << describe(ran);
      }
}

TEST(OnRequest, AWeakExchangeThatFailsAgainAndAgainIsNoLivelock) {
  for (const char* isolation : {"restore", "fork"}) {
    const Folder folder;
    const Ran ran = explore(
        folder, {"--outcomes", "--spurious", "--strategy", "icb", "--bound", "30", "--isolation", isolation},
        {k_endings, "weak_exchange_in_a_loop"});
    EXPECT_EQ(ran.status, 0) << describe(ran);
    EXPECT_EQ(ran.report["schedules"], 31) << describe(ran); // it fails 0 to 30 times
  }
}

} // namespace
} // namespace reex::runtime_test
