// Happens-before between threads of one execution, as vector clocks: what a data race is judged by. A
// primitive says at which object its thread publishes what it did before, and at which it takes in what others
// published. On the running fiber, during an execution; does nothing outside one.
#pragma once

namespace reex {

void acquire_from(const void* object);
void release_to(const void* object);

} // namespace reex
