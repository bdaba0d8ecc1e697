#include "report/progress.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace reex {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class ProgressTest : public ::testing::Test {
protected:
  ProgressPrinter printer(bool terminal) {
    return ProgressPrinter({[this](const std::string& text) { m_written += text; }, terminal, 60});
  }
  static Progress at(std::uint64_t schedules, double elapsed) {
    Progress progress;
    progress.schedules = schedules;
    progress.seconds = elapsed;
    progress.pending = 10;
    progress.bound = 1;
    return progress;
  }
  std::size_t lines() const {
    return static_cast<std::size_t>(std::count(m_written.begin(), m_written.end(), '\n'));
  }

  std::string m_written;
  const ProgressPrinter::Time m_start = ProgressPrinter::Time() + seconds(1000);
};

TEST_F(ProgressTest, WritesWholeLinesWhereThereIsNoTerminal) {
  ProgressPrinter progress = printer(false);
  progress.start("drain", m_start, m_start + seconds(60));
  EXPECT_EQ(m_written, "reex: exploring drain, budget 60.0 s\n");
  m_written.clear();
  progress.update(at(1000, 1), m_start + seconds(1));
  EXPECT_EQ(
      m_written,
      "reex: drain: bound 1, 1,000 schedules done, 10 known to be left, 1,000/s, 59 s of budget left\n");
  progress.finish();
  EXPECT_EQ(m_written.find('\r'), std::string::npos);
}

TEST_F(ProgressTest, SaysWhatIsEstimatedToBeLeft) {
  ProgressPrinter progress = printer(false);
  progress.start("drain", m_start, std::nullopt);
  m_written.clear();
  Progress now = at(1000, 1);
  now.left = {{0, 1, 0, 0}, {2, 1000, 23456, 23.456}};
  progress.update(now, m_start + seconds(1));
  EXPECT_EQ(m_written,
            "reex: drain: bound 1, 1,000 schedules done, about 23,000 left at bound 2, 23 seconds, "
            "1,000/s\n");
}

TEST_F(ProgressTest, SaysHowManySamplesThereWillBe) {
  ProgressPrinter progress = printer(false);
  progress.start("drain", m_start, std::nullopt);
  m_written.clear();
  Progress now = at(1024, 4);
  now.pending = now.bound = 0;
  now.sampled = true;
  now.total = 10000;
  progress.update(now, m_start + seconds(4));
  EXPECT_EQ(m_written, "reex: drain: 1,024 of 10,000 schedules drawn, 35 seconds left, 256/s\n");
  m_written.clear();
  now.total = 0; // until the budget ends
  now.schedules = 2048;
  progress.update(now, m_start + seconds(8));
  EXPECT_EQ(m_written, "reex: drain: 2,048 schedules drawn, 512/s\n");
}

TEST_F(ProgressTest, SpeaksAtPowersOfTwoAndAfterThirtySeconds) {
  ProgressPrinter progress = printer(false);
  progress.start("drain", m_start, std::nullopt);
  progress.update(at(1000, 1), m_start + seconds(1));
  progress.update(at(1010, 2), m_start + seconds(2));
  EXPECT_EQ(lines(), 2U);
  progress.update(at(1024, 3), m_start + seconds(3));
  EXPECT_EQ(lines(), 3U);
  progress.update(at(1030, 32), m_start + seconds(32));
  EXPECT_EQ(lines(), 3U);
  progress.update(at(1040, 33), m_start + seconds(33));
  EXPECT_EQ(lines(), 4U);
}

TEST_F(ProgressTest, TellsOfFailuresAtOnce) {
  ProgressPrinter progress = printer(false);
  progress.start("drain", m_start, std::nullopt);
  m_written.clear();
  Failure failure;
  failure.kind = "deadlock";
  failure.schedule = 23;
  progress.found(failure, m_start);
  EXPECT_EQ(m_written, "reex: drain: found deadlock at schedule 23\n");
}

TEST_F(ProgressTest, OverprintsOneLineOnATerminal) {
  ProgressPrinter progress = printer(true);
  progress.start("drain", m_start, std::nullopt);
  progress.update(at(1000, 1), m_start + milliseconds(100));
  EXPECT_EQ(lines(), 0U);
  EXPECT_EQ(
      m_written,
      "\r\x1b[Kreex: exploring drain\r\x1b[Kreex: drain: bound 1, 1,000 schedules done, 10 known to ...");
  m_written.clear();
  progress.finish();
  EXPECT_EQ(m_written, "\r\x1b[K");
  progress.finish();
  EXPECT_EQ(m_written, "\r\x1b[K");
}

} // namespace
} // namespace reex
