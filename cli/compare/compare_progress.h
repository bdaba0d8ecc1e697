// Tells on standard error how far a comparison is: on a terminal one line that is printed over, elsewhere a
// line at powers of two, and one after 30 seconds without a line.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "report/compare/comparison.h"

namespace reex {

class CompareProgress {
public:
  // `made` of the `planned` runs are there already.
  CompareProgress(std::size_t planned, std::size_t made, bool quiet);
  void ended(const RunRecord& run);
  // Also while nothing ends.
  void tick();
  // Takes the line away.
  void finish();

private:
  using Clock = std::chrono::steady_clock;

  std::string text() const;

  std::size_t m_planned;
  std::size_t m_first;
  std::size_t m_made;
  bool m_quiet;
  bool m_terminal;
  bool m_line_is_open = false;
  std::string m_last;
  std::size_t m_next_power = 1;
  Clock::time_point m_started = Clock::now();
  Clock::time_point m_last_line = m_started;
};

// "4 min 20 s", "12 s".
std::string duration_text(double seconds);

} // namespace reex
