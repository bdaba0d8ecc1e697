#include "cli/run/run_observer.h"

#include "cli/run/interruption.h"

namespace reex {

void RunObserver::progress(const Progress& progress) {
  m_progress.update(progress, std::chrono::steady_clock::now());
}

void RunObserver::failure(const Failure& failure) {
  m_progress.found(failure, std::chrono::steady_clock::now());
}

bool RunObserver::interrupted() { return interruption_requested(); }

} // namespace reex
