// A recorded failure under gdb.
//
// Callers: the parent process. gdb uses the terminal, and the parent ignores SIGINT while gdb runs.
//
// Cost: one execution, and then the time that the user stays in gdb. When gdb ends, the test process is
// killed.
//
// Errors: debug() returns one line.
#pragma once

#include <string>
#include <vector>

#include "reex/schedules/schedule_file.h"

namespace reex {

// Executes the schedule up to its failure and starts gdb there, with `arguments` added to gdb's own. The
// schedule must fit the current binary. Returns "" after gdb has ended, or why there was no debugging.
std::string debug(const ScheduleFile& file, const RuntimeFiles& runtime,
                  const std::vector<std::string>& arguments);

} // namespace reex
