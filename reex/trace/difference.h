// Describes how the two executions of the self-check differ.
#pragma once

#include <string>

#include "reex/records/self_check.h"
#include "reex/trace/trace_reader.h"

namespace reex {

// How an execution ended: "the process aborted".
std::string ending_text(End end, std::int32_t value);

// "step 12: first thread 1 did mutex lock at a.cpp:10 (f), then thread 2 did atomic load at b.cpp:3 (g)".
std::string difference_text(const SelfCheckCopy& check, TraceReader& reader);

// "b.cpp:3 (g)": the user's innermost frame; "" if there is none.
std::string place_text(const std::vector<Frame>& stack);

} // namespace reex
