// Turns SIGINT and SIGTERM into a flag, so that an interrupted run still writes its reports. A second signal,
// some seconds later, ends the process at once.
#pragma once

namespace reex {

void watch_for_interruption();
bool interruption_requested();

} // namespace reex
