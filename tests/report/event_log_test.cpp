#include "report/events/event_log.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "golden.h"
#include "sample.h"

namespace reex {
namespace {

using Json = nlohmann::json;
using std::chrono::milliseconds;

const EventLog::Time k_start{};

JsonContext context() { return {"0.1.0", "", false, {}}; }

TEST(EventLog, TellsARunInOrder) {
  std::string text;
  EventLog log([&](const std::string& lines) { text += lines; });
  TestRun run = sample::passing_run();
  run.name = "Queue.Drain";
  run.failures = {sample::deadlock(), sample::failing_race()};
  run.findings = {sample::race()};
  run.gaps = {
      {"sleeps", "1 sleep ordered the threads", "--sleeps any explores without them", GapEffect::told}};
  run.ended = EndReason::failure_limit;
  log.started(context(), "/project/build/drain", {"--fast"}, {"Queue.Drain"});
  log.begun("Queue.Drain", 0, 1);
  Progress progress;
  progress.schedules = 1;
  log.progress(progress, k_start);
  progress.schedules = 2;
  log.progress(progress, k_start + milliseconds(100)); // too soon
  progress.schedules = 3;
  log.progress(progress, k_start + milliseconds(1100));
  log.found(run.failures.front());
  log.ended(run);
  log.finished({run}, 1);
  expect_golden(REEX_GOLDEN_FOLDER, "run.jsonl", text);

  std::istringstream in(text);
  std::string events;
  for (std::string line; std::getline(in, line);)
    events += Json::parse(line)["event"].get<std::string>() + ' ';
  EXPECT_EQ(events, "started test progress progress failure failure finding gap tested finished ");
}

TEST(EventLog, WritesOnlyWholeLines) {
  std::vector<std::string> writes;
  EventLog log([&](const std::string& lines) { writes.push_back(lines); });
  log.started(context(), "/project/build/\xff", {"a\nb"}, {""});
  log.begun("", 0, 1);
  log.found(sample::use_after_free());
  log.failed("the disk is full\nreally", 70);
  ASSERT_EQ(writes.size(), 4U);
  for (const std::string& write : writes) {
    ASSERT_TRUE(write.ends_with('\n'));
    EXPECT_EQ(write.find('\n'), write.size() - 1);
    EXPECT_TRUE(Json::accept(write));
  }
  const Json last = Json::parse(writes.back());
  EXPECT_EQ(last["verdict"], "error");
  EXPECT_EQ(last["status"], 70);
}

// The tests that were explored had passed, and another one was not begun.
TEST(EventLog, SaysLastThatTheRunWasInterrupted) {
  std::string text;
  EventLog log([&](const std::string& lines) { text += lines; });
  log.finished({sample::passing_run()}, 130);
  EXPECT_EQ(text, EventLog::interrupted_line());
  const Json event = Json::parse(text);
  EXPECT_EQ(event["verdict"], "interrupted");
  EXPECT_EQ(event["status"], 130);
}

} // namespace
} // namespace reex
