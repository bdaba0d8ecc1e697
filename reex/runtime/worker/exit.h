// Exit handlers over a restore: what was registered before the first thread is registered in every execution.
#pragma once

namespace reex {

void snapshot_handlers();
void restore_handlers();

} // namespace reex
