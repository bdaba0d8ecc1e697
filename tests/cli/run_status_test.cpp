#include "cli/verdict/run_status.h"

#include <gtest/gtest.h>

namespace reex {
namespace {

TestRun passed() {
  TestRun run;
  run.strategy = "icb";
  run.bound = 2;
  run.bound_completed = 2;
  run.schedules = 10;
  run.control = {2, 40, "restore", "", {}, 0, 0};
  run.ended = EndReason::bound;
  return run;
}

TestRun with(EndReason ended) {
  TestRun run = passed();
  run.ended = ended;
  if (ended == EndReason::error) run.error.kind = ErrorKind::internal;
  return run;
}

TestRun failed() {
  TestRun run = with(EndReason::failure_limit);
  run.bound_completed = 0;
  run.failures.emplace_back();
  return run;
}

TestRun single_threaded() {
  TestRun run = passed();
  run.control.threads = 1;
  run.control.scheduling_points = 0;
  return run;
}

TestRun threadless() {
  TestRun run = with(EndReason::not_started);
  run.error.kind = ErrorKind::no_threads;
  run.schedules = 0;
  run.control = {1, 0, "restore", "", {}, 0, 0};
  return run;
}

TestRun unstartable() {
  TestRun run = threadless();
  run.error = {ErrorKind::not_started, "the test was ended by signal 11 before it created a thread"};
  return run;
}

TestRun out_of_budget() {
  TestRun run = with(EndReason::budget);
  run.bound_completed = 1;
  return run;
}

int status(const std::vector<TestRun>& runs, bool strict = false, bool interrupted = false) {
  return static_cast<int>(run_status(runs, strict, interrupted));
}

TEST(RunStatus, OfOneTest) {
  EXPECT_EQ(status({passed()}), 0);
  EXPECT_EQ(status({passed()}, true), 0);
  EXPECT_EQ(status({failed()}), 1);
  EXPECT_EQ(status({unstartable()}), 4);
  EXPECT_EQ(status({threadless()}), 5);
  EXPECT_EQ(status({single_threaded()}), 5);
  EXPECT_EQ(status({with(EndReason::error)}), 70);
  EXPECT_EQ(status({with(EndReason::interrupted)}), 130);
  EXPECT_EQ(status({passed()}, false, true), 130);
}

TEST(RunStatus, OfFindingsIsAFailureOnlyWhereTheyCount) {
  TestRun run = passed();
  run.findings.emplace_back();
  EXPECT_EQ(status({run}, true), 0);
  run.failures.emplace_back().kind = "race";
  EXPECT_EQ(status({run}), 1);
  EXPECT_EQ(status({passed(), run}), 1);
}

TEST(RunStatus, IsInconclusiveShortOfTheBoundOnlyWhereStrict) {
  EXPECT_EQ(status({out_of_budget()}), 0);
  EXPECT_EQ(status({out_of_budget()}, true), 3);
  TestRun limited = passed();
  limited.inconclusive.step_limit = 1;
  EXPECT_EQ(status({limited}), 3) << "what an execution that was cut short hides is not known";
  limited.inconclusive.step_limit = limited.schedules;
  EXPECT_EQ(status({limited}), 3);
  TestRun nothing = with(EndReason::budget);
  nothing.schedules = 0;
  EXPECT_EQ(status({nothing}), 3);
  TestRun random = with(EndReason::schedule_limit);
  random.strategy = "random";
  random.sampled = true;
  random.bound_completed = std::nullopt;
  EXPECT_EQ(status({random}, true), 0);
}

TestRun not_begun() {
  TestRun run = with(EndReason::not_begun);
  run.bound_completed.reset();
  run.schedules = 0;
  run.control = {};
  return run;
}

TEST(RunStatus, IsInconclusiveIfATestWasNotBegun) {
  EXPECT_EQ(status({passed(), not_begun()}), 3);
  EXPECT_EQ(status({failed(), not_begun()}), 1);
  TestRun shard = not_begun();
  shard.shard = Shard{1, 4};
  EXPECT_EQ(status({passed(), shard}), 3);
  EXPECT_TRUE(can_go_on(not_begun()));
}

TEST(RunStatus, OfSeveralTestsIsTheGravest) {
  EXPECT_EQ(status({passed(), failed(), out_of_budget()}, true), 1);
  EXPECT_EQ(status({passed(), single_threaded()}), 0);
  EXPECT_EQ(status({single_threaded(), single_threaded()}), 5);
  EXPECT_EQ(status({failed(), unstartable()}), 1);
  EXPECT_EQ(status({failed(), with(EndReason::error)}), 70);
}

} // namespace
} // namespace reex
