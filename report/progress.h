// Prints the progress of a run to standard error. On a terminal this is one line that is printed over.
// Elsewhere it is whole lines without a carriage return: one at the start of a test, one whenever the number
// of schedules reaches a power of two, one for each failure, and one after 30 seconds without a line.
//
// Callers: the command line, on one thread, in this order for each test: start(), update() and found(),
// finish().
//
// Cost: update() formats a line at each call on a terminal, and elsewhere only if it prints one.
//
// Errors: none of its own; ProgressSetup::write may throw.
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

// The caller passes the time, so that tests of this class control the clock.
class ProgressPrinter {
public:
  using Time = std::chrono::steady_clock::time_point;

  explicit ProgressPrinter(ProgressSetup setup) : m_setup(std::move(setup)) {}

  // `title` is like "test 2 of 12, Queue.Drain". `deadline` is the end of the test's share of the budget.
  void start(const std::string& title, Time now, std::optional<Time> deadline);
  void update(const Progress& progress, Time now);
  void found(const Failure& failure, Time now);
  // Erases the line on the terminal. Afterwards reports may be printed.
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
