// What the processes do that the test forks, and what of it reaches the test.
#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;

const std::string k_forked = REEX_PROGRAMS "/forked";

std::set<std::string> gaps_of(const Ran& ran) {
  std::set<std::string> kinds;
  for (const nlohmann::json& gap : ran.report["gaps"]) kinds.insert(gap["kind"]);
  return kinds;
}

std::set<std::string> printed_by(const Ran& ran) {
  std::set<std::string> texts;
  for (const auto& [text, outcome] : outcomes_of(ran.report)) texts.insert(text);
  return texts;
}

Ran explore_forked(const std::string& scenario) {
  const Folder folder;
  return explore(folder, {"--schedules", "20", "--outcomes"}, {k_forked, scenario});
}

TEST(Forked, OwnMemoryIsNoneOfTheTests) {
  const Ran ran = explore_forked("writes_its_own");
  EXPECT_EQ(ran.status, 0) << describe(ran);
  EXPECT_EQ(printed_by(ran), std::set<std::string>{"status 2"}) << describe(ran);
  EXPECT_TRUE(ran.report["findings"].empty()) << describe(ran);
}

// Before a fork, threads may be switched.
TEST(Forked, IsForkedAtAnyTime) {
  const Ran ran = explore_forked("is_forked_beside_an_owner");
  EXPECT_EQ(ran.status, 0) << describe(ran);
  EXPECT_EQ(printed_by(ran), (std::set<std::string>{"status 0", "status 1", "status 9"})) << describe(ran);
}

// It is not held against the test.
TEST(Forked, PrintsByItself) {
  const Ran ran = explore_forked("prints_by_itself");
  EXPECT_EQ(ran.status, 0) << describe(ran);
}

TEST(Forked, InheritsNoSignals) {
  const Ran ran = explore_forked("inherits_no_signals");
  EXPECT_EQ(ran.status, 0) << describe(ran);
  EXPECT_EQ(printed_by(ran), std::set<std::string>{"0 of 3"}) << describe(ran);
}

TEST(Forked, WaitsForSignals) {
  const Ran ran = explore_forked("waits_for_signals");
  EXPECT_EQ(ran.status, 0) << describe(ran);
  EXPECT_EQ(printed_by(ran), std::set<std::string>{"status 1, signal 15, status 3"}) << describe(ran);
}

TEST(Forked, IsForkedInAHandler) {
  const Folder folder;
  const Ran ran = explore(folder, {"--schedules", "20", "--outcomes", "--max-steps", "1000"},
                          {k_forked, "is_forked_in_a_handler"});
  EXPECT_EQ(ran.status, 0) << describe(ran);
  EXPECT_EQ(printed_by(ran), std::set<std::string>{"status 5"}) << describe(ran);
}

// Handlers of forks run in the child before fork returns there: without control, and none of it is recorded.
TEST(Forked, HasAHandler) {
  const Folder folder;
  const Ran ran = explore(folder, {"--schedules", "50", "--outcomes"}, {k_forked, "has_a_handler"});
  EXPECT_EQ(ran.status, 0) << describe(ran);
  EXPECT_EQ(printed_by(ran), std::set<std::string>{"status 0"}) << describe(ran);
}

TEST(Forked, HasNoHandler) {
  const Ran ran = explore_forked("has_no_handler");
  EXPECT_EQ(ran.status, 0) << describe(ran);
}

TEST(Forked, HasThreads) {
  constexpr std::pair<const char*, const char*> k_endings[] = {
      {"has_threads", "status 2"},
      {"has_many_threads", "status 10"},
      {"has_threads_from_the_begin", "status 2"},
      {"waits_for_descriptors", "status 15"},
      {"overflows", "signal 11"},
  };
  for (const auto& [scenario, ending] : k_endings) {
    const Ran ran = explore_forked(scenario);
    EXPECT_EQ(ran.status, 0) << describe(ran);
    EXPECT_EQ(printed_by(ran), std::set<std::string>{ending}) << describe(ran);
    EXPECT_TRUE(gaps_of(ran).contains("child-threads")) << describe(ran);
    EXPECT_TRUE(ran.report["bound_completed"].is_null()) << describe(ran);
  }
}

TEST(Forked, GoesOnAfterAStop) {
  const Ran ran = explore_forked("goes_on_after_a_stop");
  EXPECT_EQ(ran.status, 0) << describe(ran);
  EXPECT_EQ(printed_by(ran), std::set<std::string>{"status 3"}) << describe(ran);
}

TEST(Forked, EndsWithItsOnlyThread) {
  const Ran ran = explore_forked("ends_with_its_thread");
  EXPECT_EQ(ran.status, 0) << describe(ran);
  EXPECT_EQ(printed_by(ran), std::set<std::string>{"signal 10"}) << describe(ran);
  EXPECT_FALSE(gaps_of(ran).contains("child-threads")) << describe(ran);
}

TEST(Forked, SharesObjects) {
  constexpr std::pair<const char*, const char*> k_endings[] = {
      {"is_another_owner", "status 1, ended with the lock: 1"},
      {"waits_at_a_condition", "stage 4, status 4"},
      {"notifies_one", "1"},
      {"passes_on", "3"},
      {"meets_at_a_barrier", "count 6, serial 3"},
      {"owner_dies", "1 1"},
      {"shares_before_the_first_thread", "stage 2"},
      {"waits_for_a_file", "1 1"},
      {"posts_a_named_semaphore", "posted"},
      {"posts_an_early_named_semaphore", "posted"},
  };
  for (const auto& [scenario, ending] : k_endings) {
    const Ran ran = explore_forked(scenario);
    EXPECT_EQ(ran.status, 0) << describe(ran);
    EXPECT_EQ(printed_by(ran), std::set<std::string>{ending}) << describe(ran);
    EXPECT_TRUE(ran.report["findings"].empty()) << describe(ran);
    EXPECT_TRUE(gaps_of(ran).contains("shared-memory")) << describe(ran);
    EXPECT_TRUE(ran.report["bound_completed"].is_null()) << describe(ran);
  }
}

TEST(Forked, SharesNoObjectOfOneProcess) {
  constexpr std::pair<const char*, const char*> k_words[] = {
      {"uses_object_of_one", "without the attribute process-shared"},
      {"opens_a_name_in_a_child", "the name of a semaphore"},
      {"is_left_with_an_object", "together with a process that it forked"},
      {"is_left_with_a_lock", "waits for a lock of a file"},
  };
  for (const auto& [scenario, words] : k_words) {
    const Ran ran = explore_forked(scenario);
    EXPECT_EQ(ran.status, 5) << describe(ran);
    EXPECT_NE(ran.report.value("error", "").find(words), std::string::npos) << describe(ran);
  }
}

TEST(Forked, TakesRealTime) {
  for (const auto& [scenario, ending] :
       {std::pair{"polls_beside_a_sleeper", "in time"}, std::pair{"polls_behind_a_waiter", "told"}}) {
    const Folder folder;
    const Ran ran = explore(folder, {"--strategy", "icb", "--bound", "0", "--schedules", "5", "--outcomes"},
                            {k_forked, scenario});
    EXPECT_EQ(ran.status, 0) << describe(ran);
    EXPECT_EQ(printed_by(ran), std::set<std::string>{ending}) << describe(ran);
  }
}

} // namespace
} // namespace reex::runtime_test
