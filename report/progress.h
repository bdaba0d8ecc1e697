// Progress of a run on standard error: on a terminal one overprinted line; elsewhere whole lines, one at the
// start of a test, at powers of two of the schedules, and at least every 30 seconds, and never a carriage
// return.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "reex/run/progress.h"

namespace reex {

struct ProgressSetup {
  std::function<void(const std::string&)> write;
  bool terminal = false;
  std::size_t width = 80;
};

// Times are handed in, so that tests own the clock.
class ProgressPrinter {
public:
  using Time = std::chrono::steady_clock::time_point;

  explicit ProgressPrinter(ProgressSetup setup) : m_setup(std::move(setup)) {}

  // `title`: "test 2 of 12, Queue.Drain"; `deadline`: of this test's share of the budget.
  void start(const std::string& title, Time now, std::optional<Time> deadline);
  void update(const Progress& progress, Time now);
  void found(const Failure& failure, Time now);
  // Takes the overprinted line away; reports may be printed then.
  void finish();

private:
  std::string text(const Progress& progress, Time now) const;
  void overprint(const std::string& text);

  ProgressSetup m_setup;
  std::string m_title;
  std::string m_last_find;
  std::optional<Time> m_deadline;
  Time m_started{};
  Time m_last_line{};
  std::uint64_t m_next_power = 1;
  bool m_line_is_open = false;
};

} // namespace reex
