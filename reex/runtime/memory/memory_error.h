// Errors of the heap that a schedule causes: access to freed memory, double free, free of what was never
// allocated. Each ends the execution as a failure. In a detailed execution the stacks at which blocks were
// allocated and freed are kept, for the report. On the running fiber.
#pragma once

#include <cstddef>
#include <cstdint>

namespace reex {

[[noreturn]] void double_free(void* memory);
[[noreturn]] void invalid_free(void* memory);

// A detailed execution: the block at `memory` was handed out or taken back, here.
void remember_allocated(const void* memory);
void remember_freed(const void* memory);

} // namespace reex
