// Analyses a change in a process of its own, so that the exploration need not wait for it, and a crash of the
// parser ends nothing else.
//
// Callers: the parent process, on one thread, before any test runs (orphans.h).
//
// Invariants: the process ends with this object, and with the parent.
//
// Cost: that of the analysis, on the processors that `request.jobs` leaves to others. What it has parsed is
// in the cache afterwards.
//
// Errors: std::system_error if there is no process or memory for it.
#pragma once

#include <chrono>

#include <sys/types.h>

#include "impact/impact.h"

namespace reex {

class ChangeBeside {
public:
  explicit ChangeBeside(ImpactRequest request);
  ~ChangeBeside();
  ChangeBeside(const ChangeBeside&) = delete;
  ChangeBeside& operator=(const ChangeBeside&) = delete;

  bool is_done();
  // False: it takes longer.
  bool wait_until(std::chrono::steady_clock::time_point time);
  // To be called when it is done. If the process failed, the result is what is known without it, with a note.
  Impact impact();

private:
  void run(int result) const;
  HandedFacts handed() const;

  ImpactRequest m_request;
  int m_result = -1; // memory that the process writes its facts to
  pid_t m_process = -1;
  bool m_ended = false;
  int m_status = 0;
};

} // namespace reex
