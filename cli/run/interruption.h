// SIGINT and SIGTERM as a flag: a run that is interrupted still writes its reports. A signal some seconds
// after the first ends at once.
#pragma once

namespace reex {

void watch_for_interruption();
bool interruption_requested();

} // namespace reex
