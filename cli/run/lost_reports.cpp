#include "cli/run/lost_reports.h"

#include "cli/terminal/command_error.h"
#include "cli/terminal/output.h"

namespace reex {

void LostReports::attempt(const std::function<void()>& write) {
  try {
    write();
  } catch (const UsageError& error) {
    if (!m_any) say(error.what());
    m_any = true;
  }
}

ExitStatus LostReports::status(ExitStatus of_run) const {
  return m_any && of_run == ExitStatus::passed ? ExitStatus::usage : of_run;
}

} // namespace reex
