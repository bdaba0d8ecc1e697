// Explores a test under a schedule, and tells whether it fails as a recorded failure does.
//
// Callers: the promote command.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "promotion/reduce.h"
#include "reex/run/options.h"
#include "reex/schedules/schedule_file.h"

namespace reex {

struct PromotionSetup {
  const ScheduleFile& file; // the failure
  std::string binary;       // the build that is judged
  std::string test_name;
  RuntimeFiles runtime;
  std::vector<PromotedAccess> promoted; // of this build
  unsigned bound = 2;
};

struct Judgement {
  promotion::Quality quality = promotion::Quality::none;
  std::uint64_t executions = 0; // that obeyed the schedule
  std::uint64_t fail = 0;       // of them, those that fail so
  std::uint64_t stuck = 0;
  bool covered = false; // all within the bound were tried
  std::string other;    // what the first execution did instead; "" if it failed so
};

// `is_same`: whether a failure is the recorded one.
Judgement judge(const PromotionSetup& setup, const std::function<bool(const Failure&)>& is_same);

// Native runs: how many of `count` did not end with 0. None is longer than twenty seconds; such a one counts.
unsigned native_failures(const PromotionSetup& setup, unsigned count);

} // namespace reex
