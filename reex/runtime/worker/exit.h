// Exit handlers that were registered before the first thread are registered again in every restored
// execution. A new worker takes a snapshot of its zygote's.
#pragma once

namespace reex {

void snapshot_handlers();
void restore_handlers();

} // namespace reex
