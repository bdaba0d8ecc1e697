// Which code an address belongs to: the runtime's own, a system library's, or the test's.
#pragma once

#include <cstdint>

namespace reex {

void find_modules(); // in the zygote, before workers are forked

bool in_runtime(std::uint64_t pc);
bool in_system_library(std::uint64_t pc); // uninstrumented: its calls do not appear on the shadow stack

// Code whose plain accesses and atomics nobody sees: not instrumented, and no library of the language.
bool is_opaque(std::uint64_t pc);
// Code of a module that is instrumented: what it does to memory is seen.
bool in_instrumented_module(std::uint64_t pc);

bool in_unwinder(std::uint64_t pc); // libgcc_s

struct Segment {
  char* low;
  char* high;
};
// The runtime's own writable data, which no snapshot holds.
const Segment* runtime_data(unsigned& count);

} // namespace reex
