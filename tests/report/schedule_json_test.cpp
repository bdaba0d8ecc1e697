// Schedules as JSON and back (reex/run/schedule_json.h).
#include "reex/run/schedule_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "reex/run/result_json.h"
#include "sample.h"

namespace reex {
namespace {

Schedule again(const Schedule& how) {
  return nlohmann::json::from_cbor(nlohmann::json::to_cbor(nlohmann::json(how))).get<Schedule>();
}

TEST(ScheduleJson, KeepsAll) {
  Schedule how = sample::deadlock().how;
  how.decisions.push_back({4'000'000'000, 4'000'000'001, 1, "wake", 3, 17});
  how.decisions.push_back({4'000'000'002, 7, 1, "run", -1, 0}); // no order is asked for
  how.length = 5'000'000;
  how.times_passed = 3;
  how.patience = 20;
  how.trace[3].held_for = "a->b";
  how.trace[3].time = 1'000'000'000'000;
  const Schedule read = again(how);
  EXPECT_EQ(read.preemptions, how.preemptions);
  EXPECT_EQ(read.length, 5'000'000u);
  EXPECT_EQ(read.times_passed, 3u);
  EXPECT_EQ(read.patience, 20u);
  ASSERT_EQ(read.decisions.size(), how.decisions.size());
  for (std::size_t i = 0; i < how.decisions.size(); ++i) {
    EXPECT_EQ(read.decisions[i].point, how.decisions[i].point);
    EXPECT_EQ(read.decisions[i].step, how.decisions[i].step);
    EXPECT_EQ(read.decisions[i].thread, how.decisions[i].thread);
    EXPECT_EQ(read.decisions[i].kind, how.decisions[i].kind);
    EXPECT_EQ(read.decisions[i].left, how.decisions[i].left);
    EXPECT_EQ(read.decisions[i].done, how.decisions[i].done);
  }
  ASSERT_EQ(read.trace.size(), how.trace.size());
  for (std::size_t i = 0; i < how.trace.size(); ++i) {
    EXPECT_EQ(read.trace[i].step, how.trace[i].step);
    EXPECT_EQ(read.trace[i].thread, how.trace[i].thread);
    EXPECT_EQ(read.trace[i].operation, how.trace[i].operation);
    EXPECT_EQ(read.trace[i].object, how.trace[i].object);
    EXPECT_EQ(nlohmann::json(read.trace[i].stack), nlohmann::json(how.trace[i].stack));
    EXPECT_EQ(read.trace[i].reason, how.trace[i].reason);
    EXPECT_EQ(read.trace[i].from_thread, how.trace[i].from_thread);
    EXPECT_EQ(read.trace[i].enabled, how.trace[i].enabled);
    EXPECT_EQ(read.trace[i].woken, how.trace[i].woken);
    EXPECT_EQ(read.trace[i].held_for, how.trace[i].held_for);
    EXPECT_EQ(read.trace[i].time, how.trace[i].time);
  }
}

// A failure of a long test has millions of decisions.
TEST(ScheduleJson, IsSmall) {
  Schedule how;
  for (unsigned i = 0; i < 1000; ++i) how.decisions.push_back({i, i, static_cast<int>(i % 2), "run", 0, i});
  for (unsigned i = 0; i < 1000; ++i) {
    how.trace.push_back(sample::deadlock().how.trace[2]);
    how.trace.back().step = i;
  }
  EXPECT_LT(nlohmann::json::to_cbor(nlohmann::json(how)).size(), 60'000u);
}

TEST(ScheduleJson, RefusesWhatIsDamaged) {
  const nlohmann::json whole = sample::deadlock().how;
  for (const char* part : {"decisions", "trace"}) {
    const std::string numbers = whole[part]["numbers"];
    for (const std::string& text : {numbers.substr(0, numbers.size() - 1), numbers + "x ", numbers + "1 "}) {
      nlohmann::json damaged = whole;
      damaged[part]["numbers"] = text;
      EXPECT_THROW(damaged.get<Schedule>(), std::invalid_argument) << text;
    }
  }
  nlohmann::json damaged = whole;
  damaged["decisions"]["kinds"] = nlohmann::json::array();
  EXPECT_THROW(damaged.get<Schedule>(), std::invalid_argument);
}

} // namespace
} // namespace reex
