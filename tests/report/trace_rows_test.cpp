#include "report/text/trace_rows.h"

#include <gtest/gtest.h>

#include "report/text/needed_switches.h"
#include "sample.h"

namespace reex {
namespace {

std::vector<TraceStep> run_of(int thread, unsigned count, unsigned first = 0) {
  std::vector<TraceStep> steps;
  for (unsigned i = 0; i < count; ++i) {
    steps.push_back(
        sample::step(first + i, thread, "mutex lock", "mutex#1", sample::frame("f", "/p/a.cpp", 10 + i)));
  }
  return steps;
}

std::size_t count(const std::vector<TraceRow>& rows, TraceRow::Kind kind) {
  std::size_t found = 0;
  for (const TraceRow& row : rows) found += row.kind == kind ? 1 : 0;
  return found;
}

TEST(TraceRows, FoldsTheMiddleOfALongRun) {
  auto trace = run_of(0, 20);
  for (const TraceStep& step : run_of(1, 3, 20)) trace.push_back(step);
  trace[20].reason = SwitchReason::preempted;
  trace[20].from_thread = 0;
  const auto rows = trace_rows(trace, {}, false);
  ASSERT_EQ(count(rows, TraceRow::Kind::fold), 1U);
  EXPECT_EQ(rows[1].text, "... 17 more steps ...");
  EXPECT_EQ(count(rows, TraceRow::Kind::step), 6U);
  EXPECT_EQ(count(trace_rows(trace, {}, true), TraceRow::Kind::step), 23U);
}

TEST(TraceRows, NeverFoldsASingleStep) {
  for (unsigned length = 0; length < 12; ++length) {
    for (const TraceRow& row : trace_rows(run_of(0, length), {}, false))
      EXPECT_NE(row.text, "... 1 more steps ...");
  }
}

TEST(TraceRows, TellsWhatWasNotRecorded) {
  Schedule how;
  how.trace = run_of(0, 3);
  how.length = 3;
  EXPECT_EQ(steps_text(how), "3 steps");
  EXPECT_EQ(unrecorded_text(how), "");
  how.length = 4000003;
  EXPECT_EQ(steps_text(how), "4,000,003 steps, the first 3 of them recorded");
  EXPECT_EQ(unrecorded_text(how), "... 4,000,000 steps that were not recorded ...");
}

TEST(TraceRows, KeepsSomeStepsOfTheChange) {
  auto trace = run_of(0, 40);
  for (TraceStep& step : trace) step.stack.back().changed = true;
  EXPECT_EQ(count(trace_rows(trace, {}, false), TraceRow::Kind::step), 7U);
}

TEST(TraceRows, LeavesOutTheMiddleOfManySwitchesButKeepsPreemptions) {
  std::vector<TraceStep> trace;
  for (unsigned i = 0; i < 200; ++i) {
    trace.push_back(run_of(static_cast<int>(i % 2), 1, i).front());
    trace.back().reason = i == 0     ? SwitchReason::none
                          : i == 100 ? SwitchReason::preempted
                                     : SwitchReason::yielded;
    trace.back().from_thread = static_cast<int>((i + 1) % 2);
  }
  const auto rows = trace_rows(trace, {}, false);
  EXPECT_LT(rows.size(), 60U);
  bool kept = false;
  for (const TraceRow& row : rows) kept = kept || (row.decisive && row.index == 100);
  EXPECT_TRUE(kept);
}

std::string reason_of(SwitchReason reason, const std::vector<ThreadPosition>& where = {}) {
  auto trace = run_of(0, 1);
  trace.push_back(run_of(1, 1, 1).front());
  trace[1].reason = reason;
  trace[1].from_thread = 0;
  return trace_rows(trace, where, false)[1].text;
}

TEST(TraceRows, SaysWhyAThreadWasLeft) {
  const ThreadPosition waits{0, "waits for mutex#2 held by thread 1", {sample::frame("f", "/p/b.cpp", 7)}};
  EXPECT_EQ(reason_of(SwitchReason::finished), "T0 finished");
  EXPECT_EQ(reason_of(SwitchReason::blocked, {waits}), "T0 waits for mutex#2 held by T1 at b.cpp:7");
  EXPECT_EQ(reason_of(SwitchReason::preempted, {waits}), "T0 preempted at b.cpp:7");
  EXPECT_EQ(reason_of(SwitchReason::spinning), "T0 spins");
}

// What T0 does next is to lock the mutex again. It waits for the condition.
TEST(TraceRows, SaysOnWhichConditionAThreadWaits) {
  const Frame place = sample::frame("f", "/p/a.cpp", 4);
  std::vector<TraceStep> trace = {sample::step(0, 0, "condition wait", "condition#1", place),
                                  sample::step(1, 1, "condition notify one", "condition#1", place),
                                  sample::step(2, 0, "condition wake-up", "mutex#1", place)};
  trace[1].reason = SwitchReason::blocked;
  trace[1].from_thread = 0;
  EXPECT_EQ(trace_rows(trace, {}, false)[1].text, "T0 waits to be notified on condition#1 at a.cpp:4");
  trace.pop_back();
  const ThreadPosition waits{0, "waits to be notified, releasing mutex#1", {place}};
  EXPECT_EQ(trace_rows(trace, {waits}, false)[1].text, "T0 waits to be notified on condition#1 at a.cpp:4");
}

TEST(TraceRows, NoThreadIsSaidToWaitForASignalThatInterruptsIt) {
  const Frame place = sample::frame("f", "/p/a.cpp", 4);
  std::vector<TraceStep> trace = {sample::step(0, 0, "mutex lock", "mutex#1", place),
                                  sample::step(1, 1, "signal send", "signal 10", place),
                                  sample::step(2, 0, "signal handler", "signal 10", place)};
  trace[1].reason = SwitchReason::blocked;
  trace[1].from_thread = 0;
  EXPECT_EQ(trace_rows(trace, {}, false)[1].text, "T0 blocked at a.cpp:4, until signal 10 came");
}

TEST(TraceRows, TellHowManyThreadsANotificationWoke) {
  TraceStep step =
      sample::step(0, 0, "condition notify all", "condition#1", sample::frame("f", "/p/a.cpp", 4));
  EXPECT_EQ(step_text(step), "condition notify all condition#1");
  step.woken = 0;
  EXPECT_EQ(step_text(step), "condition notify all condition#1 (nobody waits)");
  step.woken = 2;
  EXPECT_EQ(step_text(step), "condition notify all condition#1 (wakes 2)");
}

// T1 ends, T0 joins it at once, and then the choice is made.
std::vector<TraceStep> joined() {
  std::vector<TraceStep> trace = {
      sample::step(0, 1, "thread end", "", sample::frame("f", "/p/a.cpp", 1)),
      sample::step(1, 0, "thread join", "thread#1", sample::frame("main", "/p/a.cpp", 5)),
      sample::step(2, 2, "mutex lock", "mutex#1", sample::frame("g", "/p/a.cpp", 9))};
  trace[2].reason = SwitchReason::finished;
  trace[2].from_thread = 1;
  return trace;
}

TEST(TraceRows, NameTheThreadThatFinishedAndTheOneThatJoinedIt) {
  std::vector<std::string> switches;
  for (const TraceRow& row : trace_rows(joined(), {}, false))
    if (row.kind == TraceRow::Kind::context_switch) switches.push_back(row.text);
  EXPECT_EQ(switches, (std::vector<std::string>{"T1 finished", "T1 finished, and T0 joined it"}));
}

TEST(NeededSwitches, NameTheThreadThatFinished) {
  Failure failure;
  failure.how.trace = joined();
  failure.how.decisions = {{0, 2, 2, "run", 0, 1}};
  const auto switches = needed_switches(failure);
  ASSERT_EQ(switches.size(), 1U);
  EXPECT_EQ(needed_switch_text(switches.front()),
            "T1 has finished, and T0 has joined it; T2 goes on with mutex lock mutex#1 at a.cpp:9");
}

TEST(TraceRows, NamesWhatAPreemptedThreadWasAboutToDo) {
  const auto rows = trace_rows(sample::deadlock().how.trace, sample::deadlock().where, false);
  bool found = false;
  for (const TraceRow& row : rows) {
    found = found || row.text == "T2 preempted at queue.h:22, before cond wait cond#1";
  }
  EXPECT_TRUE(found);
}

} // namespace
} // namespace reex
