// Which code an address belongs to: the runtime, a system library, or the test. find_modules fills the tables
// in the zygote; workers only read them.
#pragma once

#include <cstdint>

namespace reex {

void find_modules(); // in the zygote, before it forks workers; and when libraries came
// The controller, as a restore takes back that libraries came.
void forget_modules_that_came();

// Names all code that is loaded, except that of the system's libraries and of the runtime. Never 0.
std::uint64_t code_digest();

// Whether code was loaded since the first call of find_modules that is opaque, see below.
bool opaque_code_came();
// Whether any code was.
bool code_came();

bool in_runtime(std::uint64_t pc);
bool in_system_library(std::uint64_t pc); // not instrumented: its calls are not on the shadow stack

// Code whose plain accesses and atomics reex cannot see: neither instrumented nor a library of the language.
bool is_opaque(std::uint64_t pc);
// Code of an instrumented module: reex sees its accesses.
bool in_instrumented_module(std::uint64_t pc);

// Memory of a module that nobody writes once it is loaded.
bool is_constant(const void* address);

bool in_unwinder(std::uint64_t pc); // libgcc_s, or libunwind beside libc++

// Whether a module refers to pthread_cancel.
bool cancels_threads();

struct Segment {
  char* low;
  char* high;
};
// The runtime's own writable data. Snapshots do not contain it.
const Segment* runtime_data(unsigned& count);

} // namespace reex
