// Analyses a change in a process of its own (forked_work.h).
//
// Cost: that of the analysis, on the processors that `request.jobs` leaves to others. What it has parsed is
// in the cache afterwards.
#pragma once

#include <chrono>

#include "impact/impact.h"
#include "reex/process/forked_work.h"

namespace reex {

class ChangeBeside {
public:
  explicit ChangeBeside(ImpactRequest request);

  bool is_done() { return m_process.is_done(); }
  // False: it takes longer.
  bool wait_until(std::chrono::steady_clock::time_point time) { return m_process.wait_until(time); }
  // To be called when it is done. If the process failed, the result is what is known without it, with a note.
  Impact impact();

private:
  ImpactRequest m_request;
  ForkedWork m_process;
};

} // namespace reex
