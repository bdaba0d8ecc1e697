// The system calls that the filter of a worker that restores lets pass, whatever they do (worker/filter.cpp):
// whoever makes one takes back what it does.
//
// Callers: the runtime, in any worker; also in signal handlers.
//
// Cost: as of the call.
#pragma once

#include <cstdint>

namespace reex {

// Returns the kernel's result: -errno on failure.
extern "C" __attribute__((visibility("hidden"))) long
reex_kept_call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0);

// Where the kernel returns to from a call that was made so. No other call has this address.
std::uintptr_t kept_call_return();

} // namespace reex
