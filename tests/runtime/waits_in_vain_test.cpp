// Threads that wait with a time limit, again and again, for what never comes (docs/semantics.md: "Waits in
// vain").
#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;

const std::string k_program = REEX_PROGRAMS "/waits_in_vain";

constexpr const char* k_isolations[] = {"restore", "fork"};

TEST(WaitsInVain, AreALivelock) {
  for (const char* scenario : {"condition", "condition_until", "c_condition", "a_future", "a_semaphore",
                               "a_pipe", "sleeps", "a_lock", "several", "says_so"})
    for (const char* isolation : k_isolations)
      for (const char* strategy : {"icb", "random"}) {
        const Folder folder;
        const Ran ran = explore(
            folder,
            {"--isolation", isolation, "--strategy", strategy, "--schedules", "20", "--max-steps", "400"},
            {k_program, scenario});
        EXPECT_EQ(ran.status, 1) << describe(ran);
        ASSERT_EQ(ran.report["failures"].size(), 1U) << describe(ran);
        const auto& failure = ran.report["failures"][0];
        EXPECT_EQ(failure["kind"], "livelock") << describe(ran);
        const auto message = failure["message"].get<std::string>();
        EXPECT_NE(message.find("for a time, again and again"), std::string::npos) << message;
        // Only the begin of the loop is shown.
        const std::string& words = ran.output;
        std::smatch steps;
        ASSERT_TRUE(std::regex_search(words, steps, std::regex("threads, (\\d+) steps"))) << words;
        EXPECT_LT(std::stoi(steps[1]), 250) << words;
        const Ran replay = command(folder, {"replay", failure["replay"].get<std::string>()});
        EXPECT_EQ(replay.status, 1) << describe(replay);
        EXPECT_NE(replay.output.find("livelock, as recorded"), std::string::npos) << describe(replay);
      }
}

void expect_no_failure(const std::string& scenario) {
  for (const char* isolation : k_isolations) {
    const Folder folder;
    const Ran ran = explore(folder, {"--isolation", isolation, "--max-steps", "150", "--schedules", "20"},
                            {k_program, scenario});
    EXPECT_NE(ran.status, 1) << describe(ran);
    EXPECT_GT(ran.report["inconclusive"]["step_limit"], 0) << describe(ran);
    EXPECT_TRUE(ran.report["failures"].empty()) << describe(ran);
  }
}

TEST(WaitsInVain, AreSeenBeyondALowLimit) {
  for (const char* isolation : k_isolations) {
    const Folder folder;
    const Ran ran = explore(folder, {"--isolation", isolation, "--max-steps", "100", "--schedules", "20"},
                            {k_program, "long_turns"});
    EXPECT_EQ(ran.status, 1) << describe(ran);
    ASSERT_EQ(ran.report["failures"].size(), 1U) << describe(ran);
    EXPECT_EQ(ran.report["failures"][0]["kind"], "livelock") << describe(ran);
  }
}

// As pools do whose threads poll for work before they sleep.
TEST(WaitsInVain, AreSeenOfThreadsThatSpinBeforeTheyWait) {
  for (const char* isolation : k_isolations) {
    const Folder folder;
    const Ran ran = explore(folder, {"--isolation", isolation, "--strategy", "random", "--schedules", "2"},
                            {k_program, "spins_first"});
    EXPECT_EQ(ran.status, 1) << describe(ran);
    ASSERT_EQ(ran.report["failures"].size(), 1U) << describe(ran);
    EXPECT_EQ(ran.report["failures"][0]["kind"], "livelock") << describe(ran);
    const Ran replay = command(folder, {"replay", ran.report["failures"][0]["replay"].get<std::string>()});
    EXPECT_NE(replay.output.find("livelock, as recorded"), std::string::npos) << describe(replay);
  }
}

// A thread that polls alone, and writes in each turn.
TEST(WaitsInVain, AreSeenOfAThreadThatComesBackToWhatWas) {
  for (const char* isolation : k_isolations) {
    const Folder folder;
    const auto explored = [&](const char* scenario) {
      return explore(
          folder,
          {"--isolation", isolation, "--strategy", "random", "--schedules", "2", "--max-steps", "2000"},
          {k_program, scenario});
    };
    const Ran ran = explored("marks_and_unmarks");
    EXPECT_EQ(ran.status, 1) << describe(ran);
    ASSERT_EQ(ran.report["failures"].size(), 1U) << describe(ran);
    EXPECT_EQ(ran.report["failures"][0]["kind"], "livelock") << describe(ran);
    const Ran replay = command(folder, {"replay", ran.report["failures"][0]["replay"].get<std::string>()});
    EXPECT_NE(replay.output.find("livelock, as recorded"), std::string::npos) << describe(replay);
    EXPECT_EQ(explored("counts_its_turns").report["failures"].size(), 0U);
  }
}

// Beyond the limit, the thread in the loop always runs, but now and then the other one could take the lock.
TEST(WaitsInVain, AreNotClaimedWhereAnotherThreadCanRunInBetween) {
  const Folder folder;
  for (const char* limit : {"8", "12", "16", "20"}) {
    const Ran ran = explore(
        folder, {"--strategy", "random", "--schedules", "1000", "--max-steps", limit, "--races", "off"},
        {k_program, "keeps_a_lock"});
    EXPECT_EQ(ran.report["failures"].size(), 0U) << describe(ran);
  }
}

// A loop that ends at last is none, however long it goes on.
TEST(WaitsInVain, AreNotClaimedOfWhatEnds) {
  for (const char* scenario :
       {"counts", "has_a_deadline", "counts_months", "counts_for_others", "counts_in_a_position",
        "counts_in_an_event", "counts_in_a_file", "counts_in_the_kernel", "fills_a_pipe",
        "counts_in_shared_memory", "counts_in_mapped_memory", "counts_in_late_shared_memory", "polite"})
    expect_no_failure(scenario);
}

TEST(WaitsInVain, AreNotClaimedOfALoopThatCountsInARegister) {
  for (const std::string wait : {"at_a_semaphore", "at_a_condition", "at_a_lock", "in_a_nap", "in_a_poll"})
    for (const char* in : {"rbx", "r12", "r13", "r14", "r15"}) expect_no_failure(wait + "_" + in);
}

} // namespace
} // namespace reex::runtime_test
