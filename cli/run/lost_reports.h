// Reports that could not be written, on a full disk for example. The exploration goes on, and the other
// reports are written.
#pragma once

#include <functional>

#include "cli/terminal/exit_status.h"

namespace reex {

class LostReports {
public:
  // Calls `write`. If it throws UsageError, this is said, the first time.
  void attempt(const std::function<void()>& write);
  bool any() const { return m_any; }
  // A pass of which a report is lost is none. Every other status tells more than this.
  ExitStatus status(ExitStatus of_run) const;

private:
  bool m_any = false;
};

} // namespace reex
