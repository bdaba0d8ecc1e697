// A recorded failure under gdb.
#pragma once

#include <string>
#include <vector>

#include "reex/schedules/schedule_file.h"

namespace reex {

// Executes the schedule, which has to fit the binary as it is now, up to its failure, and leaves the user in
// gdb there; `arguments` are gdb's own. Returns why that was not possible, one line; "" after gdb has ended.
std::string debug(const ScheduleFile& file, const RuntimeFiles& runtime,
                  const std::vector<std::string>& arguments);

} // namespace reex
