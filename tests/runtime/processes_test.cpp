// Processes of the test beside its threads: those from before the first thread, and those that outlive it.
#include <thread>

#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;
using namespace std::chrono_literals;

const std::string k_children = REEX_PROGRAMS "/children";

bool has_gap(const Ran& ran, const std::string& kind) {
  for (const nlohmann::json& gap : ran.report["gaps"])
    if (gap["kind"] == kind) return true;
  return false;
}

TEST(EarlyChildren, AreFoundByEachExecution) {
  for (const char* isolation : {"restore", "fork"}) {
    const Folder folder;
    const Ran ran =
        explore(folder, {"--isolation", isolation, "--outcomes"}, {k_children, "child_ended_before"});
    EXPECT_EQ(ran.status, 0) << describe(ran);
    const Outcomes seen = outcomes_of(ran.report);
    ASSERT_EQ(seen.size(), 1U) << describe(ran);
    EXPECT_TRUE(seen.contains("1 2")) << describe(ran);
    EXPECT_TRUE(has_gap(ran, "shared-memory")) << describe(ran);
    EXPECT_TRUE(ran.report["bound_completed"].is_null()) << describe(ran);
  }
}

TEST(EarlyChildren, AreFoundByOneThread) {
  for (const char* isolation : {"restore", "fork"}) {
    const Folder folder;
    const Ran ran =
        explore(folder, {"--isolation", isolation, "--outcomes"}, {k_children, "child_ended_before_for_two"});
    EXPECT_EQ(ran.status, 0) << describe(ran);
    const Outcomes seen = outcomes_of(ran.report);
    EXPECT_EQ(seen.size(), 2U) << describe(ran);
    EXPECT_TRUE(seen.contains("1") && seen.contains("2")) << describe(ran);
  }
}

// What came before the fork, and before the data for the child, happens before whatever comes from the child.
TEST(Children, OrderWhatTheyPassOn) {
  const Folder folder;
  const Ran ran = explore(folder, {"--schedules", "20"}, {k_children, "child_passes_on"});
  EXPECT_EQ(ran.status, 0) << describe(ran);
  EXPECT_TRUE(ran.report["failures"].empty() && ran.report["findings"].empty()) << describe(ran);
}

std::string mark() { return "reex-processes-" + std::to_string(getpid()); }

TEST(Orphans, EndWithTheTest) {
  for (const char* jobs : {"1", "2"}) {
    const Folder folder;
    const Ran ran = explore(folder, {"-j", jobs, "--schedules", "4"}, {k_children, "daemon_is_left", mark()});
    EXPECT_EQ(ran.status, 0) << describe(ran);
    EXPECT_TRUE(processes_with(mark()).empty()) << describe(ran);
  }
}

TEST(Orphans, CannotSignalTheTool) {
  const Folder folder;
  const Ran ran = explore(folder, {"--schedules", "4"}, {k_children, "orphan_signals_its_parent", mark()});
  EXPECT_EQ(ran.status, 0) << describe(ran);
  EXPECT_TRUE(processes_with(mark()).empty()) << describe(ran);
}

// A shell may start a watchdog and then become reex, whose child that is.
TEST(Orphans, AWatchdogFromBeforeStillEndsTheTool) {
  const Folder folder;
  const std::string script =
      "(sleep 2; kill -TERM $$) & exec \"$0\" -o . --budget 60s --keep-going 0 \"$1\" -- large";
  const Words words{"/bin/sh", "-c", script, reex_binary(), REEX_PROGRAMS "/endings"};
  const Ran ran = Running(folder, words, {}).wait();
  EXPECT_EQ(ran.status, 130) << describe(ran);
}

TEST(Orphans, OfATestThatDaemonizes) {
  const Folder folder;
  const Ran ran = explore(folder, {}, {k_children, "test_is_a_daemon", mark()});
  EXPECT_EQ(ran.status, 5) << describe(ran);
  EXPECT_EQ(ran.report.value("error_kind", ""), "no_threads") << describe(ran);
  EXPECT_TRUE(processes_with(mark()).empty()) << describe(ran);
}

} // namespace
} // namespace reex::runtime_test
