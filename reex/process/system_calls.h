#pragma once

#include <string>

namespace reex {

// "openat", or "system call 257" if the number is not known.
std::string system_call_name(long number);

} // namespace reex
