// The report of `reex replay`: the verdict, a trace like that of a failure, and for a divergence what was
// expected and what happened.
#pragma once

#include <string>

#include "reex/run/replay_result.h"
#include "reex/schedules/schedule_file.h"
#include "report/terminal_options.h"
#include "report/text/source_lines.h"

namespace reex {

// Marks the frames at the lines of the change. Only the file knows them, and they are lines of the build that
// it was recorded with.
void mark_changed(Failure& execution, const ScheduleFile& file);

std::string replay_text(const ScheduleFile& file, const ReplayResult& result, SourceLines& sources,
                        const TerminalOptions& options);

} // namespace reex
