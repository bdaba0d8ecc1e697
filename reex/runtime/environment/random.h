// Random numbers that the test asks the system for, the same in every execution. rewind_random resets main's
// sequence before each execution; a new worker starts with the zygote's place in it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace reex {

// Of all threads together: it changes whenever one of them draws.
std::uint64_t place_of_random();
void remember_random(); // in the zygote: executions begin with the next number
void rewind_random();   // in the controller, before an execution

// For a call at `pc`.
void give_random(void* memory, std::size_t size, void* pc);

// Whether the descriptor is of a random device, which begins anew: it has come to its end.
bool begin_device_anew(int descriptor);

} // namespace reex
