// The switches of a reduced schedule as text, and whether they touch the change.
#include "report/text/needed_switches.h"

#include <gtest/gtest.h>

#include "report/failure_text.h"
#include "tests/report/sample.h"

namespace reex {
namespace {

// T2 runs first. It is preempted after two operations, and T1 closes the queue.
Failure reduced() {
  Failure failure = sample::deadlock();
  failure.how.decisions = {{.point = 2, .step = 2, .thread = 2, .kind = "run", .left = 0, .done = 2},
                           {.point = 4, .step = 4, .thread = 1, .kind = "run", .left = 2, .done = 2}};
  failure.reduced = Reduced{
      .switches_before = 9, .preemptions_before = 7, .switches = 2, .executions = 12, .complete = true};
  return failure;
}

TEST(NeededSwitches, AreNamedWithTheOperationsNextToThem) {
  const Failure failure = reduced();
  const auto switches = needed_switches(failure);
  ASSERT_EQ(switches.size(), 2U);
  EXPECT_EQ(switches[1].step, 4U);
  EXPECT_EQ(needed_switch_text(switches[0]),
            "T0 cannot go on after thread create thread#2 at drain.cpp:13; T2 goes on with mutex lock "
            "mutex#1 at queue.h:21");
  EXPECT_EQ(needed_switch_text(switches[1]),
            "T2 is preempted after atomic load atomic#1 at queue.h:22, before cond wait cond#1 at "
            "queue.h:22; T1 goes on with atomic store atomic#1 at queue.h:41");
}

// By default another thread would have run, as at the end of a time slice.
TEST(NeededSwitches, AThreadMayKeepItsTurn) {
  Failure failure = reduced();
  failure.how.decisions = {{.point = 3, .step = 3, .thread = 2, .kind = "run", .left = 2, .done = 1}};
  const auto switches = needed_switches(failure);
  ASSERT_EQ(switches.size(), 1U);
  EXPECT_EQ(needed_switch_text(switches[0]),
            "T2 keeps its turn after mutex lock mutex#1 at queue.h:21, and goes on with atomic load atomic#1 "
            "at queue.h:22");
}

TEST(NeededSwitches, NextToAChangedLineAreMarked) {
  const Failure failure = reduced();
  const auto switches = needed_switches(failure);
  ASSERT_EQ(switches.size(), 2U);
  EXPECT_FALSE(touches_change(switches[0]));
  EXPECT_TRUE(touches_change(switches[1]));
}

TEST(NeededSwitches, StandInTheReportAndInItsTrace) {
  sample::FakeSources sources;
  const std::string text = failure_text(reduced(), "Queue.Drain", nullptr, sources, sample::options());
  EXPECT_NE(text.find("\n    4* T2 is preempted after"), std::string::npos) << text;
  EXPECT_NE(text.find("reduced from 9 switches (7 preemptions) in 12 executions"), std::string::npos) << text;
  EXPECT_NE(text.find("== switch == T2 preempted"), std::string::npos) << text;
  EXPECT_NE(text.find("-- switch -- T1 finished"), std::string::npos) << text;
}

TEST(BaseProof, StandsBeforeTheKey) {
  sample::FakeSources sources;
  Failure failure = sample::deadlock();
  failure.base = BaseProof{BaseProof::Verdict::passes, "/project/base/drain", ""};
  const std::string text = failure_text(failure, "Queue.Drain", nullptr, sources, sample::options());
  const std::size_t proof = text.find("fails at the head, passes at the base");
  EXPECT_NE(proof, std::string::npos) << text;
  EXPECT_LT(proof, text.find("Failure key")) << text;
}

} // namespace
} // namespace reex
