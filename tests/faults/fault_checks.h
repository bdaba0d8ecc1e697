// What holds whatever system call of reex fails: it ends in time with a documented status, says one line if
// it is not a verdict, leaves no process behind, and calls no failing test passed.
//
// REEX_FAULTS=all makes every call fail; otherwise a sample of them.
#pragma once

#include <string>

#include "tests/faults/failing_call.h"
#include "tests/runtime/tool.h"

namespace reex::tool {

// Makes every so manieth call fail, of so many.
unsigned stride_of_calls(unsigned calls);

// What is wrong with the run; "" if nothing is. `verdict`: the status without a failing call. The claims are
// what the run says if it has passed, now and without a failing call. `headline`: what a report begins with
// that says why there is no verdict; a run says it in a line of its own.
std::string fault_of(int verdict, const TracedRun& ran, const std::string& claims,
                     const std::string& claims_undisturbed, const std::string& headline = "reex: ");

// The test's processes have the folder's name in their command lines.
bool is_left_alone(const Folder& folder);

} // namespace reex::tool
