// Writes the reports of a finished run in the formats that the user asked for, and opens the log of events.
#pragma once

#include <memory>
#include <vector>

#include "cli/options/options.h"
#include "report/document/run_report.h"
#include "report/events/event_log.h"

namespace reex {

// Writes all formats except the text and the log of events. On GitHub's runners it also prints annotations:
// behind the text, or on standard error if a report has standard output for itself.
void write_reports(const FormatOptions& format, const RunReport& report);

// A log that writes to all jsonl files asked for; null if there are none. The files are opened here, so that
// a path that cannot be written ends the run before the exploration.
std::unique_ptr<EventLog> open_event_log(const FormatOptions& format);

} // namespace reex
