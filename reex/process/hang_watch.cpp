#include "reex/process/hang_watch.h"

namespace reex {

bool HangWatch::look(std::uint64_t progress, bool waits) {
  if (progress != m_progress || waits) {
    m_progress = progress;
    begin();
    return false;
  }
  if (Clock::now() - m_since < m_limit) return false;
  m_since = Clock::now();
  ++m_looks;
  return true;
}

} // namespace reex
