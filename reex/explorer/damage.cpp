// The exploration cannot go on: a test has overwritten what reex shares with it, or the machine refuses what
// reex needs. It ends, and reports what it knew before.
#include <algorithm>

#include "reex/explorer/exploration.h"
#include "reex/records/schedules.h"

namespace reex {

// The counts of a worker whose memory is damaged are left out; those of the others stand.
void Exploration::end_early(EndReason ended, const RunError& error) {
  const auto attempt = [](const auto& read) {
    try {
      read();
    } catch (const DamagedMemory&) {
      return false;
    }
    return true;
  };
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
  m_run.ended = ended;
  m_run.error = error;
}

bool Exploration::any_started() const {
  return std::any_of(m_sessions.begin(), m_sessions.end(),
                     [](const auto& session) { return !session->modules().empty(); });
}

void Exploration::end_damaged(const DamagedMemory& damage) {
  const bool started = any_started();
  end_early(started ? EndReason::damaged : EndReason::not_started,
            {started ? ErrorKind::damaged : ErrorKind::not_started, damage.what()});
  drop_state();
}

// Nothing can continue from the state.
void Exploration::drop_state() {
  if (!m_run.state_file.empty()) remove_state(m_run.state_file);
  m_run.state_file.clear();
}

} // namespace reex
