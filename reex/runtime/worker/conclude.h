// What is done when an execution has ended: by the worker's controller, or by the zygote when the worker
// died.
#pragma once

namespace reex {

enum class Next : unsigned char {
  go_on,  // with the next schedule
  report, // a failure or a finding not seen in this run: it is to be executed in detail
};

// Counts, learns, keeps the outcome: as a whole, or not at all if the process is killed. The execution's
// ending is in the control block.
Next conclude();

// The same for an execution that was cut short because an equivalent one was explored.
void conclude_pruned();

} // namespace reex
