#include "reex/process/hang_watch.h"

#include <algorithm>

namespace reex {
namespace {

constexpr unsigned k_looks_before = 5;                   // half a second
constexpr std::chrono::milliseconds k_longest_look{300}; // the parent may have been busy itself
constexpr unsigned k_patience = 2;                       // times the load, where that is more than one

} // namespace

void HangWatch::begin() {
  m_looks = 0;
  m_last = {};
  m_used = m_waited = {};
  m_hung = false;
}

std::chrono::milliseconds HangWatch::hung_for() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - m_hung_since);
}

void HangWatch::take(const Activity& now) {
  const auto passed = Clock::now() - m_last_look;
  if (now.process != m_last.process) {
    m_used = m_waited = {};
  } else {
    m_used += std::max(std::chrono::nanoseconds(0), now.processor - m_last.processor);
    const double load = machine_load();
    if (now.waits) // each factor of load makes it slower
      m_waited += std::chrono::nanoseconds(static_cast<std::int64_t>(
          static_cast<double>(std::min<std::chrono::nanoseconds>(passed, k_longest_look).count()) /
          (load > 1 ? k_patience * load : 1)));
  }
  m_last = now;
}

bool HangWatch::look(std::uint64_t progress, bool waits, const std::function<Activity()>& activity) {
  if (progress != m_progress || waits) {
    m_progress = progress;
    begin();
  } else if (++m_looks > k_looks_before) {
    take(activity());
  }
  m_last_look = Clock::now();
  if (m_used + m_waited < m_limit) return false;
  m_used = m_waited = {};
  if (!m_hung) m_hung_since = m_last_look;
  return m_hung = true;
}

} // namespace reex
