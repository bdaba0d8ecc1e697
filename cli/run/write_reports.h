// Writes the reports of a run in the formats that the user asked for: those of the finished run, and the log
// of events while it goes on.
#pragma once

#include <memory>
#include <vector>

#include "cli/options/options.h"
#include "cli/run/lost_reports.h"
#include "cli/terminal/interruption.h"
#include "report/document/run_report.h"
#include "report/events/event_log.h"

namespace reex {

// Throws UsageError for a path that cannot be written. Call it before the work.
void check_report_paths(const FormatOptions& format);

// Writes all formats except the text and the log of events. On GitHub's runners it also prints annotations:
// behind the text, or on standard error if a report has standard output for itself.
void write_reports(const FormatOptions& format, const RunReport& report, LostReports& lost);

// Where a run reports to, from its beginning to its end. Make it before the exploration: it throws UsageError
// for a path that cannot be written.
struct RunOutput {
  explicit RunOutput(const FormatOptions& format);
  RunOutput(const RunOutput&) = delete;
  RunOutput& operator=(const RunOutput&) = delete;

  // What is to be written if the run is interrupted before it has explored anything: `said` to standard
  // error, and the last event to the logs.
  std::vector<LastWords> last_words(const std::string& said) const;

  LostReports lost;
  std::unique_ptr<EventLog> events; // to all jsonl files asked for; null if there are none

private:
  std::vector<int> m_logs; // their descriptors
};

} // namespace reex
