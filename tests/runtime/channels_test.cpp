// Waiting for descriptors and child processes: the explanation of a deadlock, timeouts that may expire, and
// what reex refuses.
#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;

Ran run(const Folder& folder, const std::string& program, const std::string& scenario,
        const Words& options = {}) {
  return explore(folder, options, {REEX_PROGRAMS "/" + program, scenario});
}

TEST(Channels, ADeadlockAtPipesIsExplainedAndReplayed) {
  const Folder folder;
  const Ran ran = run(folder, "pipes", "unread_pipes");
  EXPECT_EQ(ran.status, 1) << describe(ran);
  EXPECT_NE(ran.output.find("T1 waits for descriptor 101 to be readable"), std::string::npos)
      << describe(ran);
  EXPECT_NE(ran.output.find("T2 waits for descriptor 102 to be readable"), std::string::npos)
      << describe(ran);
  const auto files = schedule_files(folder.path());
  ASSERT_EQ(files.size(), 1U) << describe(ran);
  const Ran replay = command(folder, {"replay", files[0].string()});
  EXPECT_EQ(replay.status, 1) << describe(replay);
  EXPECT_NE(replay.output.find("T2 waits for descriptor 102 to be readable"), std::string::npos)
      << describe(replay);
}

// But where another process may begin to listen, nothing is claimed.
TEST(Channels, AskingForAConnectionForEverIsALivelock) {
  for (const char* scenario : {"asks_in_vain", "two_ask_in_vain"}) {
    const Folder folder;
    const Ran ran = run(folder, "sockets", scenario);
    EXPECT_EQ(ran.status, 1) << describe(ran);
    ASSERT_EQ(ran.report["failures"].size(), 1U) << describe(ran);
    EXPECT_EQ(ran.report["failures"][0]["kind"], "livelock") << describe(ran);
  }
  const Folder folder;
  const Ran ran = run(folder, "sockets", "asks_outside", {"--max-steps", "2000"});
  EXPECT_EQ(ran.status, 3) << describe(ran);
  EXPECT_GT(ran.report["inconclusive"]["step_limit"], 0) << describe(ran);
}

// The kernel asks once more, and the listener has room by then.
TEST(Channels, AConnectionToACrowdedListenerIsMade) {
  for (const char* scenario : {"crowded_listener", "crowded_listener_polled", "crowded_listener_asked",
                               "crowded_listener_in_time"}) {
    const Folder folder;
    const Ran ran = run(folder, "sockets", scenario, {"--bound", "0", "--schedules", "3"});
    EXPECT_EQ(ran.status, 0) << scenario << describe(ran);
    EXPECT_TRUE(ran.report["failures"].empty()) << scenario << describe(ran);
  }
  const Folder folder;
  const Ran ran = run(folder, "sockets", "full_listener");
  EXPECT_EQ(ran.status, 1) << describe(ran);
  ASSERT_EQ(ran.report["failures"].size(), 1U) << describe(ran);
  EXPECT_EQ(ran.report["failures"][0]["kind"], "deadlock") << describe(ran);
}

TEST(Channels, BindAndListenHaveTheirNamesInATrace) {
  const Folder folder;
  const Ran ran = run(folder, "sockets", "bind_and_fail");
  EXPECT_EQ(ran.status, 1) << describe(ran);
  EXPECT_NE(ran.output.find(" bind "), std::string::npos) << describe(ran);
  EXPECT_NE(ran.output.find(" listen "), std::string::npos) << describe(ran);
  EXPECT_EQ(ran.output.find("descriptor write"), std::string::npos) << describe(ran);
}

TEST(Channels, MakingDescriptorsHasItsNameInATrace) {
  const Folder folder;
  const Ran ran = run(folder, "pipes", "make_and_fail");
  EXPECT_EQ(ran.status, 1) << describe(ran);
  EXPECT_NE(ran.output.find(" descriptor open "), std::string::npos) << describe(ran);
}

// The child ends after a while. Then no process is left that could write.
TEST(Channels, ADeadlockBesideAChildIsFoundWhenItHasEnded) {
  const Folder folder;
  const Ran ran = run(folder, "children", "deadlock_beside_a_child", {"--keep-going", "0"});
  EXPECT_EQ(ran.status, 1) << describe(ran);
  ASSERT_EQ(ran.report["failures"].size(), 1U) << describe(ran);
  EXPECT_EQ(ran.report["failures"][0]["kind"], "deadlock") << describe(ran);
}

TEST(Channels, AWatchThatAnExecutionEndsIsRefused) {
  const Folder folder;
  const Ran ran = run(folder, "pipes", "watch_is_ended");
  EXPECT_EQ(ran.status, 5) << describe(ran);
  EXPECT_NE(ran.output.find("an execution ended a watch of inotify from before the first thread"),
            std::string::npos)
      << describe(ran);
}

TEST(Channels, TimeoutsPassWhereAskedFor) {
  for (const bool asked : {false, true}) {
    const Folder folder;
    Words options{"--outcomes"};
    if (asked) options.push_back("--timeouts");
    const Ran ran = run(folder, "pipes", "poll_or_byte", options);
    std::vector<std::string> seen;
    for (const auto& [text, how] : outcomes_of(ran.report)) seen.push_back(text);
    EXPECT_EQ(seen,
              asked ? (std::vector<std::string>{"in time", "late"}) : std::vector<std::string>{"in time"})
        << describe(ran);
  }
}

TEST(Channels, WhatCannotBeSharedIsRefused) {
  const struct {
    const char* program;
    const char* scenario;
    const char* words;
  } table[] = {
      {"children", "child_made_before", "a child process that it made before its first thread"},
      {"sockets", "local_connection_before", "a local socket was connected"},
      {"sockets", "sent_before", "had sent data before the first thread"},
      {"sockets", "shut_down_local_listener", "an execution shut down a bound socket"},
  };
  for (const auto& [program, scenario, words] : table) {
    const Folder folder;
    const Ran ran = run(folder, program, scenario);
    EXPECT_NE(ran.status, 0) << describe(ran);
    EXPECT_NE(ran.status, 1) << describe(ran);
    EXPECT_NE(ran.output.find(words), std::string::npos) << describe(ran);
    EXPECT_TRUE(schedule_files(folder.path()).empty()) << describe(ran);
  }
}

} // namespace
} // namespace reex::runtime_test
