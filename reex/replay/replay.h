// One recorded schedule again. Parent process; starts the test and waits for its end.
#pragma once

#include "reex/run/replay_result.h"
#include "reex/schedules/schedule_file.h"

namespace reex {

ReplayResult replay(const ScheduleFile& file, const RuntimeFiles& runtime);

} // namespace reex
