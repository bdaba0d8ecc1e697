// What counts as no progress, on a machine that is busy or not.
#include "reex/process/hang_watch.h"

#include <thread>

#include <gtest/gtest.h>

namespace reex {
namespace {

using namespace std::chrono_literals;

struct Process {
  Activity activity{.process = 7, .processor = 0ns, .waits = false};
  HangWatch watch{200ms};
  std::uint64_t progress = 1;

  // As many looks as it takes until a hang is seen; 0 if none is.
  unsigned looks(unsigned most, std::chrono::milliseconds of_processor, std::chrono::milliseconds of_clock) {
    for (unsigned look = 1; look <= most; ++look) {
      activity.processor += of_processor;
      std::this_thread::sleep_for(of_clock);
      if (watch.look(progress, false, [this] { return activity; })) return look;
    }
    return 0;
  }
};

TEST(HangWatch, CountsTheTimeOfTheProcessor) {
  Process process;
  const unsigned looks = process.looks(30, 20ms, 0ms);
  EXPECT_GE(looks, 10u);
  EXPECT_TRUE(process.watch.looks_hung());
}

TEST(HangWatch, AProcessThatGetsNoProcessorIsNoHang) {
  Process process;
  EXPECT_EQ(process.looks(60, 0ms, 10ms), 0u);
}

TEST(HangWatch, AProcessThatWaitsIsOneAtLast) {
  Process process;
  process.activity.waits = true;
  EXPECT_GE(process.looks(3000, 0ms, 10ms), 20u);
}

TEST(HangWatch, ProgressBeginsAnew) {
  Process process;
  for (unsigned turn = 0; turn < 10; ++turn) {
    ++process.progress;
    EXPECT_EQ(process.looks(8, 20ms, 0ms), 0u);
  }
  EXPECT_FALSE(process.watch.looks_hung());
}

TEST(HangWatch, AnotherProcessBeginsAnew) {
  Process process;
  for (int turn = 0; turn < 10; ++turn) {
    ++process.activity.process;
    EXPECT_EQ(process.looks(8, 20ms, 0ms), 0u);
  }
}

} // namespace
} // namespace reex
