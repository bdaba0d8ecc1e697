// Executes a failing schedule with the build of the base. If the base passes, the change is to blame; if the
// base fails in the same way, it is not.
#pragma once

#include "reex/schedules/schedule_file.h"

namespace reex {

// Executes `binary` with the schedule of `file`, with which another build of the test failed.
BaseProof prove_on_base(ScheduleFile file, const std::string& binary, const RuntimeFiles& runtime);

} // namespace reex
