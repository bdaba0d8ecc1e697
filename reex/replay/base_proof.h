// Whether a failing schedule fails with the base's build of the test, too: the proof that the change is to
// blame, or that it is not.
#pragma once

#include "reex/schedules/schedule_file.h"

namespace reex {

// `binary` is executed with the schedule of `file`, which another build of it failed with.
BaseProof prove_on_base(ScheduleFile file, const std::string& binary, const RuntimeFiles& runtime);

} // namespace reex
