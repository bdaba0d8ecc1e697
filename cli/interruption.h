// SIGINT and SIGTERM as a flag: a run that is interrupted still writes its reports. The second signal ends at
// once.
#pragma once

namespace reex {

void watch_for_interruption();
bool interruption_requested();

} // namespace reex
