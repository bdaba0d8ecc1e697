// The exploration cannot go on: a test has overwritten what reex shares with it, or the machine refuses what
// reex needs. It ends, and reports what it knew before.
#include <algorithm>

#include "reex/explorer/exploration.h"
#include "reex/process/native_run.h"
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

// The test was seen to end before its first thread, or not to start.
void Exploration::end_unstarted(const std::string& seen, ErrorKind otherwise) {
  const TestCommand command{
      .binary = m_run.binary, .arguments = m_run.arguments, .runtime = {}, .working_directory = ""};
  end_early(EndReason::refused, {});
  m_run.error = start_error(command, seen, otherwise);
  m_run.ended = m_run.error.kind == ErrorKind::not_started ? EndReason::not_started
                : otherwise == ErrorKind::damaged          ? EndReason::damaged
                                                           : EndReason::refused;
}

bool Exploration::any_started() const {
  return std::any_of(m_sessions.begin(), m_sessions.end(),
                     [](const auto& session) { return !session->modules().empty(); });
}

void Exploration::end_damaged(const DamagedMemory& damage) {
  if (any_started())
    end_early(EndReason::damaged, {ErrorKind::damaged, damage.what()});
  else
    end_unstarted(damage.what(), ErrorKind::damaged);
  drop_state();
}

// Nothing can continue from the state.
void Exploration::drop_state() {
  if (!m_run.state_file.empty()) remove_state(m_run.state_file);
  m_run.state_file.clear();
}

} // namespace reex
