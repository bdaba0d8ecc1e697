// What is done when an execution has ended: by the worker's controller, or by the zygote when the worker
// died.
#pragma once

#include "reex/runtime/core/runtime.h"

namespace reex {

// Descriptors 1 and 2 are the parent's memory files; an execution begins at the offsets that the text from
// before the first thread left. They are kept under other numbers as well: many programs close them at the
// end.
inline constexpr int k_kept_output[] = {901, 902};
void remember_output();
void rewind_output();

// Everything written to descriptor 1 since the process started; returns its length.
std::uint64_t hash_output(std::uint64_t hash[2]);

enum class Next : unsigned char {
  go_on,  // with the next schedule
  report, // a failure or a finding not seen in this run: it is to be executed in detail
};

// Counts, learns, keeps the outcome: as a whole, or not at all if the process is killed. The execution's
// ending is in the control block.
Next conclude();

// The same for an execution that was cut short because an equivalent one was explored.
void conclude_pruned();

// Keeps the output of a detailed execution for the report.
void keep_output();

bool is_failure(End end);

} // namespace reex
