#pragma once

#include <string>

namespace reex {

// "openat", or "system call 257" if the number is not known.
std::string system_call_name(long number);

// Whether the call may write, make, rename or remove files. Of calls that open files, this is known only of
// those that a restore could not take back.
bool changes_files(long number);

} // namespace reex
