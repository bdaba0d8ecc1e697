#include "cli/run/run_observer.h"

#include "cli/terminal/interruption.h"

namespace reex {

void RunObserver::progress(const Progress& progress) {
  const auto now = std::chrono::steady_clock::now();
  m_last = progress;
  m_progress.update(progress, now);
  if (m_events != nullptr) m_events->progress(progress, now);
}

void RunObserver::failure(const Failure& failure) {
  m_progress.found(failure, std::chrono::steady_clock::now());
  if (m_events != nullptr) m_events->found(failure);
}

bool RunObserver::interrupted() { return interruption_requested() || (m_stop && m_stop(m_last)); }

} // namespace reex
