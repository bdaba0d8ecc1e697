#include "report/terminal.h"

#include <gtest/gtest.h>

#include "golden.h"
#include "report/failure_text.h"
#include "report/finding_text.h"
#include "report/replay_report.h"
#include "report/text/text_layout.h"
#include "sample.h"

namespace reex {
namespace {

void expect_approved(const std::string& name, const std::string& text) {
  expect_golden(REEX_GOLDEN_FOLDER, name, text);
}

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of('\n');
  return text.substr(text.rfind('\n', end) + 1, end - text.rfind('\n', end));
}

void expect_width(const std::string& text, std::size_t width) {
  for (const std::string& line : wrap(text, std::string::npos)) EXPECT_LE(display_width(line), width) << line;
}

TEST(FailureText, ShowsTheCommitTheColumnsAndTheReplayCommand) {
  sample::FakeSources sources;
  const ChangeView change = sample::change();
  const std::string text = failure_text(sample::deadlock(), "drain", &change, sources, sample::options());
  expect_approved("failure.txt", text);
  expect_width(text, 80);
  EXPECT_EQ(last_line(text), "  reex replay .reex/failures/3f2a9c01b7de.reex");
}

TEST(FailureText, UsesOneColumnWhereThreadsAreMany) {
  sample::FakeSources sources;
  Failure failure = sample::deadlock();
  failure.where.push_back({9, "runs", {}});
  const std::string text = failure_text(failure, "drain", nullptr, sources, sample::options());
  expect_approved("failure_many_threads.txt", text);
  expect_width(text, 80);
}

TEST(FailureText, IsColouredWhereAskedFor) {
  sample::FakeSources sources;
  TerminalOptions options = sample::options();
  options.style = Style(true);
  const ChangeView change = sample::change();
  expect_approved("failure_coloured.txt",
                  failure_text(sample::deadlock(), "drain", &change, sources, options));
}

TEST(FailureText, QuotesTheReplayCommandForTheShell) {
  sample::FakeSources sources;
  Failure failure = sample::deadlock();
  failure.replay = "/tmp/it's here/x.reex";
  const std::string text = failure_text(failure, "drain", nullptr, sources, sample::options());
  EXPECT_EQ(last_line(text), "  reex replay '/tmp/it'\\''s here/x.reex'");
}

TEST(FailureText, SaysWhereNoLineOfTheChangeTookPart) {
  sample::FakeSources sources;
  Failure failure = sample::deadlock();
  for (TraceStep& step : failure.how.trace) {
    for (Frame& frame : step.stack) frame.changed = false;
  }
  ChangeView change = sample::change();
  const std::string& diff = change.changes[0].text;
  change.changes[0].text = diff.substr(diff.find("@@ -80")); // a field that nobody uses
  const std::string text = failure_text(failure, "drain", &change, sources, sample::options());
  EXPECT_NE(text.find("none: no operation of this schedule is at a changed line"), std::string::npos);
}

// A condition of local variables is no operation, and decides about one.
TEST(FailureText, ShowsWhatWasPassedBesideChangedLinesWithoutOperations) {
  sample::FakeSources sources;
  Failure failure = sample::deadlock();
  for (TraceStep& step : failure.how.trace)
    for (Frame& frame : step.stack) frame.changed = false;
  ChangeView change = sample::change();
  change.changes[0].text = "@@ -38,4 +38,5 @@ public:\n"
                           "   }\n"
                           " \n"
                           "+    if (is_last)\n"
                           "     m_closed = true;\n"
                           "     m_ready.notify_all();\n";
  const std::string text = failure_text(failure, "drain", &change, sources, sample::options());
  EXPECT_NE(text.find("  none is at an operation of this schedule; it passed these beside:\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("    +    if (is_last)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  *      m_closed = true;"), std::string::npos) << text;
}

TEST(FailureText, ShowsRemovedLinesWhereAThreadPassedTheLineBesideThem) {
  sample::FakeSources sources;
  Failure failure = sample::deadlock();
  for (TraceStep& step : failure.how.trace)
    for (Frame& frame : step.stack) frame.changed = false; // the new side has no changed line there
  const ChangeView change = sample::change();
  const std::string text = failure_text(failure, "drain", &change, sources, sample::options());
  EXPECT_NE(text.find("    -    std::lock_guard<std::mutex> lock(m_mutex);\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  *      m_closed = true;"), std::string::npos) << text;
  EXPECT_EQ(text.find("m_unrelated"), std::string::npos) << text;
  EXPECT_EQ(text.find("none: no operation"), std::string::npos) << text;
}

TEST(FailureText, TellsTheFailureAlsoIfItsStepsCannotBeShown) {
  struct : SourceLines {
    std::string trimmed(const std::string&, unsigned) override { throw std::logic_error("no such line"); }
  } sources;
  const Failure failure = sample::deadlock();
  const std::string text = failure_text(failure, "drain", nullptr, sources, sample::options());
  EXPECT_TRUE(text.starts_with("FAILED drain: deadlock\n")) << text;
  EXPECT_NE(text.find("What happened cannot be shown: no such line: this is an error of reex"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("reex replay"), std::string::npos) << text;
}

TEST(FailureText, NamesSomeOfManyThreadsAtAChangedLine) {
  sample::FakeSources sources;
  Failure failure = sample::deadlock();
  const std::vector<TraceStep> steps = failure.how.trace;
  for (int thread = 10; thread < 50; ++thread) {
    for (TraceStep step : steps) {
      step.thread = thread;
      failure.how.trace.push_back(step);
    }
  }
  const ChangeView change = sample::change();
  const std::string text = failure_text(failure, "drain", &change, sources, sample::options());
  EXPECT_NE(text.find("T1 T10 and 39 more\n"), std::string::npos) << text;
}

TEST(FailureText, LeavesOutTheStackOfAnExit) {
  sample::FakeSources sources;
  Failure failure = sample::use_after_free();
  failure.kind = "gtest";
  TraceStep& last = failure.how.trace.back();
  last.operation = "end of the process";
  last.thread = failure.where[0].thread;
  Frame frame;
  frame.function = "__libc_start_main";
  frame.module = "/lib/libc.so.6";
  frame.system_header = true;
  failure.where[0].stack = {frame};
  const std::string text = failure_text(failure, "drain", nullptr, sources, sample::options());
  EXPECT_NE(text.find("  T" + std::to_string(last.thread) + "  ended the process\n"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("__libc_start_main"), std::string::npos) << text;
}

// The frames of a library that come first do not say what the change has to do with it.
TEST(FailureText, ShowsTheInnermostFrameOfTheChangeBehindTheOthers) {
  sample::FakeSources sources;
  Failure failure = sample::use_after_free();
  Frame frame = failure.where[0].stack.back();
  frame.changed = false;
  std::vector<Frame>& stack = failure.where[0].stack;
  stack.clear();
  for (const char* function : {"f0", "f1", "f2", "f3", "f4", "f5", "f6"}) {
    frame.function = function;
    stack.push_back(frame);
  }
  const auto shown = [&] {
    const std::string text = failure_text(failure, "drain", nullptr, sources, sample::options());
    std::string functions;
    for (const std::string& line : wrap(text, std::string::npos)) {
      if (line == "      ...") functions += " ...";
      if (line.find(" in f") == std::string::npos) continue;
      functions += line.find('*') == std::string::npos ? " " : " *";
      functions += line.substr(line.find(" in f") + 4);
    }
    return functions;
  };
  EXPECT_EQ(shown(), " f0 f1 f2 f3 ...");
  stack[5].changed = stack[6].changed = true;
  EXPECT_EQ(shown(), " f0 f1 f2 f3 ... *f5");
  stack[4].changed = true;
  EXPECT_EQ(shown(), " f0 f1 f2 f3 ... *f4");
  stack[1].changed = true;
  EXPECT_EQ(shown(), " f0 *f1 f2 f3 ...");
}

TEST(FailureText, ShowsWhereTheMemoryWasFreedAndAllocated) {
  sample::FakeSources sources;
  const std::string text =
      failure_text(sample::use_after_free(), "drain", nullptr, sources, sample::options());
  expect_approved("failure_memory.txt", text);
  expect_width(text, 80);
}

TEST(FindingsText, ShowsTheFirstFewInFullAndTheRestInALineEach) {
  sample::FakeSources sources;
  TestRun run = sample::passing_run();
  run.promoted = 2;
  Finding unjoined = sample::race();
  unjoined.kind = "never-joined";
  unjoined.message = "thread 2 was neither joined nor detached";
  unjoined.where.resize(1);
  run.findings = {sample::race(), unjoined, sample::race(), sample::race(), unjoined};
  run.findings[4].message = "thread 3 was neither joined nor detached";
  run.findings[3].message += ", which makes a message that is longer than a line";
  const std::string text = findings_text(run, "drain", sources, sample::options());
  expect_approved("findings.txt", text);
  expect_width(text, 80);
  TerminalOptions options = sample::options();
  options.verbose = true;
  EXPECT_EQ(findings_text(run, "drain", sources, options).find("more finding"), std::string::npos);
}

TEST(FindingsText, IsLeftOutWhereQuiet) {
  sample::FakeSources sources;
  TerminalOptions options = sample::options();
  options.quiet = true;
  TestRun run = sample::passing_run();
  run.findings = {sample::race()};
  EXPECT_EQ(findings_text(run, "drain", sources, options), "");
}

TEST(FailingFindingsText, ShowsTheFirstFewInFullAndHowToReplayEach) {
  sample::FakeSources sources;
  TestRun run = sample::passing_run();
  run.failures = {sample::deadlock(), sample::failing_race(), sample::failing_race(), sample::failing_race(),
                  sample::failing_race()};
  for (std::size_t i = 2; i < run.failures.size(); ++i) run.failures[i].where.front().stack.front().line += i;
  run.failures[2].base = BaseProof{BaseProof::Verdict::passes, "/project/old/drain", ""};
  const std::string text = failing_findings_text(run, "drain", sources, sample::options());
  expect_approved("failing_findings.txt", text);
  expect_width(text, 80);
  TerminalOptions options = sample::options();
  options.quiet = true;
  EXPECT_NE(failing_findings_text(run, "drain", sources, options).find("data race on closed"),
            std::string::npos);
}

TEST(FindingsText, SaysWhyARaceIsNoFailure) {
  sample::FakeSources sources;
  TestRun run = sample::passing_run();
  run.findings = {sample::race()};
  run.findings[0].reason = "the base shows it, too";
  EXPECT_NE(
      findings_text(run, "drain", sources, sample::options()).find("no failure: the base shows it, too"),
      std::string::npos);
}

TEST(FindingsText, SpeaksOfSchedulingPointsOnlyWhereSomeWerePromoted) {
  sample::FakeSources sources;
  TestRun run = sample::passing_run();
  run.findings = {sample::race()};
  EXPECT_EQ(findings_text(run, "drain", sources, sample::options()).find("scheduling point"),
            std::string::npos);
}

TEST(RunText, NamesFindingsRoundsAndWhatTheBoundIsRelativeTo) {
  TestRun run = sample::passing_run();
  run.findings = {sample::race(), sample::race()};
  run.rounds = 3;
  run.promoted = 4;
  std::string text = run_text(run, sample::options());
  run.findings[1].kind = "destroyed-while-held";
  run.failures = {sample::failing_race()};
  text += run_text(run, sample::options());
  run.failures.insert(run.failures.begin(), sample::deadlock());
  run.rounds = 1;
  run.promoted = 1;
  run.exhausted = true;
  run.ended = EndReason::exhausted;
  text += run_text(run, sample::options());
  expect_approved("runs_with_findings.txt", text);
  expect_width(text, 80);
}

TEST(RunText, SaysWhatWasExploredAndWhatWasNot) {
  TestRun run = sample::passing_run();
  std::string text = run_text(run, sample::options());
  run.ended = EndReason::budget;
  run.bound_completed = 1;
  run.left = {{1, 200, 0, 0}, {2, 12345, 4321, 190}};
  run.control.isolation = "fork";
  run.control.isolation_reason = "the test opens files";
  run.inconclusive = {3, 1, "at queue.h:22"};
  text += run_text(run, sample::options());
  run.ended = EndReason::not_started;
  run.schedules = 0;
  run.control = {};
  run.error = {ErrorKind::not_started, "the dynamic loader does not find libmissing.so"};
  text += run_text(run, sample::options());
  run = sample::passing_run();
  run.bound = std::nullopt;
  run.bound_completed = std::nullopt;
  run.exhausted = true;
  run.ended = EndReason::exhausted;
  text += run_text(run, sample::options());
  run = sample::passing_run();
  run.control.threads = 1;
  text += run_text(run, sample::options());
  expect_approved("runs.txt", text);
  expect_width(text, 80);
}

TEST(RunText, CountsTheTestsOfABinary) {
  const TestRun passed = sample::passing_run();
  TestRun failed = passed;
  failed.failures.push_back(sample::deadlock());
  EXPECT_EQ(total_text({passed}, sample::options()), "");
  EXPECT_EQ(total_text({passed, failed, passed}, sample::options()), "3 tests: 2 passed, 1 failed\n");
  TestRun racy = passed;
  racy.findings = {sample::race()};
  EXPECT_EQ(total_text({passed, racy, racy}, sample::options()), "3 tests: 3 passed; 2 data races\n");
}

TestRun not_begun(const std::string& name) {
  TestRun run = sample::passing_run();
  run.name = name;
  run.ended = EndReason::not_begun;
  run.bound_completed.reset();
  run.schedules = 0;
  run.control = {};
  return run;
}

TEST(RunText, NamesTheTestsThatWereNotBegun) {
  std::vector<TestRun> runs = {sample::passing_run(), not_begun("Queue.One"), not_begun("Queue.Two")};
  EXPECT_EQ(total_text(runs, sample::options()), "3 tests: 1 passed, 2 not begun\n");
  EXPECT_EQ(unexplored_text({runs[0], runs[0]}, sample::options()), "");
  EXPECT_EQ(unexplored_text(runs, sample::options()),
            "NOT BEGUN 2 tests: the budget ended before\n  Queue.One\n  Queue.Two\n");
  for (int i = 0; i < 10; ++i) runs.push_back(not_begun("Queue.More" + std::to_string(i)));
  TerminalOptions options = sample::options();
  EXPECT_TRUE(unexplored_text(runs, options).ends_with("Queue.More7\n  and 2 more (-v shows them)\n"));
  options.verbose = true;
  EXPECT_TRUE(unexplored_text(runs, options).ends_with("Queue.More9\n"));
  options.quiet = true;
  EXPECT_EQ(unexplored_text(runs, options), "NOT BEGUN 12 tests: the budget ended before\n");
}

TEST(RunText, NamesTheTestsWithoutASecondThreadAtTheEnd) {
  TestRun alone = sample::passing_run();
  alone.name = "Queue.Alone";
  alone.control.scheduling_points = 0;
  TestRun refused = alone;
  refused.error = {ErrorKind::uncontrolled, "vfork is not under control"};
  TerminalOptions options = sample::options();
  EXPECT_TRUE(is_told_at_the_end(alone, options));
  EXPECT_FALSE(is_told_at_the_end(refused, options));
  EXPECT_FALSE(is_told_at_the_end(sample::passing_run(), options));
  EXPECT_EQ(unexplored_text({alone, refused}, options),
            "NOT EXPLORED 1 test: no second thread or no scheduling point was seen\n  Queue.Alone\n");
  options.verbose = true;
  EXPECT_FALSE(is_told_at_the_end(alone, options));
  EXPECT_EQ(unexplored_text({alone, refused}, options), "");
}

// More steps do not help where a livelock cannot be claimed.
TEST(RunText, AsksForHooksWhereThreadsSpinBesideCodeWithout) {
  TestRun run = sample::passing_run();
  run.inconclusive.step_limit = run.inconclusive.livelock = 1;
  EXPECT_EQ(run_text(run, sample::options()).find("no livelock is claimed"), std::string::npos);
  run.gaps.push_back({"unseen-code", "a library is not seen", "build it with hooks", GapEffect::told});
  const std::string text = run_text(run, sample::options());
  EXPECT_NE(text.find("no livelock is claimed"), std::string::npos) << text;
  EXPECT_EQ(text.find("--max-steps"), std::string::npos) << text;
}

TEST(FailingFindingsText, ShowsARaceOfSeveralTestsOnce) {
  TestRun run;
  run.failures = {sample::failing_race()};
  sample::FakeSources sources;
  ToldLines told;
  const std::string first = failing_findings_text(run, "drain", sources, sample::options(), &told);
  EXPECT_EQ(first, failing_findings_text(run, "drain", sources, sample::options()));
  run.failures.front().key = "of other frames further out";
  EXPECT_EQ(failing_findings_text(run, "fill", sources, sample::options(), &told),
            "\n1 failure at lines that are told above, of another test (-v shows all)\n"
            "  queue.h:41, queue.h:22: data race on closed: T1 writes 1 byte, T2 reads 1 byte\n"
            "  reex replay .reex/failures/966ddc66fefb.reex\n");
  run.failures.front().where.front().stack.front().line = 40;
  EXPECT_EQ(failing_findings_text(run, "fill", sources, sample::options(), &told).find("told above"),
            std::string::npos);
}

TEST(FailingFindingsText, ShowsOneOfThoseAtTheSameLines) {
  TestRun run;
  run.failures = {sample::failing_race(), sample::failing_race()};
  run.failures.back().key = "of other frames further out";
  sample::FakeSources sources;
  TerminalOptions options = sample::options();
  const std::string text = failing_findings_text(run, "drain", sources, options);
  EXPECT_EQ(text.find("of other frames"), std::string::npos) << text;
  EXPECT_TRUE(
      text.ends_with("\n1 more failure of this kind (-v shows their stacks)\n"
                     "  queue.h:41, queue.h:22: data race on closed: T1 writes 1 byte, T2 reads 1 byte\n"
                     "  reex replay .reex/failures/966ddc66fefb.reex\n"))
      << text;
  options.verbose = true;
  EXPECT_NE(failing_findings_text(run, "drain", sources, options).find("of other frames"), std::string::npos);
}

TEST(RunText, TellsOnceWhatTestsHaveInCommon) {
  TestRun run = sample::passing_run();
  run.gaps.push_back({"unseen-code", "a library is not seen", "build it with hooks", GapEffect::told});
  run.gaps.push_back({"no-thread", "no thread came", "give more time", GapEffect::verdict});
  run.notes.emplace_back("the analysis came late");
  ToldLines told;
  const std::string first = run_text(run, sample::options(), &told);
  EXPECT_NE(first.find("a library is not seen"), std::string::npos);
  EXPECT_EQ(first, run_text(run, sample::options()));
  const std::string second = run_text(run, sample::options(), &told);
  EXPECT_EQ(second.find("a library is not seen"), std::string::npos);
  EXPECT_NE(second.find("  not covered  1 thing named above\n"), std::string::npos);
  EXPECT_NE(second.find("  no verdict   no thread came"), std::string::npos) << second;
  EXPECT_NE(second.find("  note         1 note as above\n"), std::string::npos);
}

TEST(RunText, TellsWhereQuietThatRacesDoNotCountForWantOfHooks) {
  TerminalOptions options = sample::options();
  options.quiet = true;
  TestRun run = sample::passing_run();
  run.control.isolation_reason = "the test opens files";
  run.findings = {sample::race(), sample::race()};
  EXPECT_EQ(run_text(run, options).find("  no failure "), std::string::npos);
  for (Finding& finding : run.findings) {
    finding.reason = "libold.so is not instrumented";
    finding.may_be_ordered = true;
  }
  const std::string text = run_text(run, options);
  EXPECT_NE(text.find("  no failure   libold.so is not instrumented\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("libold.so"), text.rfind("libold.so")) << text;
  EXPECT_EQ(text.find("opens files"), std::string::npos) << text;
}

TEST(RunText, TellsTheVerdictsApart) {
  TestRun run = sample::passing_run();
  EXPECT_EQ(verdict_of(run), Verdict::passed);
  run.inconclusive.step_limit = run.schedules;
  EXPECT_EQ(verdict_of(run), Verdict::inconclusive);
  run.failures.push_back(sample::deadlock());
  EXPECT_EQ(verdict_of(run), Verdict::failed);
  run = sample::passing_run();
  run.findings.push_back(sample::race());
  EXPECT_EQ(verdict_of(run), Verdict::passed);
  run.failures.push_back(sample::failing_race());
  EXPECT_EQ(verdict_of(run), Verdict::failed);
  run = sample::passing_run();
  run.control.scheduling_points = 0;
  EXPECT_EQ(verdict_of(run), Verdict::uncontrolled);
  run.ended = EndReason::error;
  EXPECT_EQ(verdict_of(run), Verdict::error);
}

TEST(OutcomesText, CountsWhatExecutionsPrinted) {
  TestRun run = sample::passing_run();
  Outcome plain;
  plain.stdout_bytes = "1 2\n";
  plain.exit = 0;
  plain.count = 12000;
  Outcome deadlock;
  deadlock.failure = "deadlock";
  deadlock.count = 345;
  deadlock.preemptions = 2;
  deadlock.stdout_bytes = "\x01 \xff \"quoted\" and a text that is longer than its column";
  run.outcomes = {plain, deadlock};
  const std::string text = outcomes_text(run, sample::options());
  expect_approved("outcomes.txt", text);
  expect_width(text, 80);
}

ScheduleFile recorded() {
  ScheduleFile file;
  file.binary = "/project/build/drain";
  file.failure_kind = "deadlock";
  return file;
}

TEST(ReplayText, ShowsTheFailureAgain) {
  sample::FakeSources sources;
  ReplayResult result;
  result.verdict = ReplayResult::Verdict::failed;
  result.failure = sample::deadlock();
  result.notes = {"the binary was rebuilt since"};
  expect_approved("replay_failed.txt", replay_text(recorded(), result, sources, sample::options()));
}

TEST(ReplayText, MarksChangedLinesAndNeededSwitchesOfTheFile) {
  sample::FakeSources sources;
  ReplayResult result;
  result.verdict = ReplayResult::Verdict::failed;
  result.failure = sample::deadlock();
  result.failure->how.decisions = {{4, 4, 1, "run", 2, 2}};
  for (TraceStep& step : result.failure->how.trace)
    for (Frame& frame : step.stack) frame.changed = false;
  ScheduleFile file = recorded();
  const std::string plain = replay_text(file, result, sources, sample::options());
  EXPECT_EQ(plain.find("* |"), std::string::npos) << plain;
  EXPECT_EQ(plain.find("    * "), std::string::npos) << plain;
  EXPECT_EQ(plain.find("== switch =="), std::string::npos) << plain;
  file.changed = {"/project/src/queue.h:22", "/project/src/queue.h:41"};
  file.reduced = ScheduleFile::Reduction::complete;
  expect_approved("replay_marked.txt", replay_text(file, result, sources, sample::options()));
  // In another build the lines may be others, and nobody has tried to leave out its switches.
  result.rebuilt = true;
  EXPECT_EQ(replay_text(file, result, sources, sample::options()), plain);
}

TEST(ReplayText, SaysWhatWasExpectedAndSeen) {
  sample::FakeSources sources;
  ReplayResult result;
  result.verdict = ReplayResult::Verdict::diverged;
  result.message = "diverged at step 3: expected T2 mutex lock mutex#1, saw T1 mutex lock mutex#1";
  result.how = sample::deadlock().how;
  result.how.trace.resize(3);
  expect_approved("replay_diverged.txt", replay_text(recorded(), result, sources, sample::options()));
}

TEST(ReplayText, PassesInAFewWords) {
  sample::FakeSources sources;
  ReplayResult result;
  result.verdict = ReplayResult::Verdict::passed;
  ScheduleFile file = recorded();
  const std::string passed = replay_text(file, result, sources, sample::options());
  EXPECT_TRUE(passed.starts_with("PASSED drain: recorded was deadlock\n")) << passed;
  file.failure_kind.clear();
  EXPECT_TRUE(
      replay_text(file, result, sources, sample::options()).starts_with("PASSED drain: as recorded\n"));
}

} // namespace
} // namespace reex
