// System calls without libc (no errno, no cancellation, not interposed), the FS base, and the attribute of
// exported symbols. May be used anywhere in the test process, also in signal handlers.
#pragma once

#include <cstdint>
#include <sys/syscall.h>

#define REEX_EXPORT extern "C" __attribute__((visibility("default")))
#define REEX_CALLER __builtin_return_address(0)

namespace reex {

// Returns the kernel's result: -errno on failure.
inline long raw_syscall(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
  long result;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

template <typename T>
long as_long(T* pointer) {
  return reinterpret_cast<long>(pointer);
}

// The FS base leads to thread-local storage; each fiber has its own. Cost: about 5 ns with FSGSBASE, 100 ns
// without.
std::uint64_t read_fs();
void write_fs(std::uint64_t value);
void probe_fs(); // once, before the two above

} // namespace reex
