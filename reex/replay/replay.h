// Executes a recorded schedule again. replay() is called in the parent process; it starts the test and waits
// for its end. If the binary was rebuilt, replay() follows the schedule as long as it fits.
#pragma once

#include "reex/run/replay_result.h"
#include "reex/schedules/schedule_file.h"

namespace reex {

ReplayResult replay(const ScheduleFile& file, const RuntimeFiles& runtime);

} // namespace reex
