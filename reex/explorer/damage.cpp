// A test has overwritten what reex shares with it. The exploration ends, and reports what it knew before.
#include <algorithm>

#include "reex/explorer/exploration.h"
#include "reex/records/schedules.h"

namespace reex {

// The counts of a worker whose memory is damaged are left out; those of the others stand.
void Exploration::end_damaged(const DamagedMemory& damage) {
  const auto attempt = [](const auto& read) {
    try {
      read();
    } catch (const DamagedMemory&) {
      return false;
    }
    return true;
  };
  const bool started = std::any_of(m_sessions.begin(), m_sessions.end(),
                                   [](const auto& session) { return !session->modules().empty(); });
  for (const auto& session : m_sessions) session->clear_away();
  while (!attempt([this] { gather_counts(); })) {
  }
  for (const Handed& handed : m_handed)
    attempt([&] {
      Failure& failure = m_run.failures[handed.failure];
      failure.count = std::max(failure.count, read_failure_count(handed.by->known, handed.slot));
    });
  for (Failure& failure : m_run.failures) failure.count = std::max<std::uint64_t>(failure.count, 1);
  m_run.exhausted = false;
  m_run.bound_completed.reset();
  m_run.left.clear();
  m_run.ended = started ? EndReason::damaged : EndReason::not_started;
  m_run.error = {started ? ErrorKind::damaged : ErrorKind::not_started, damage.what()};
  if (!m_run.state_file.empty()) remove_state(m_run.state_file); // nothing can continue from it
  m_run.state_file.clear();
}

} // namespace reex
