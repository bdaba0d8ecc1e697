// Queues, sets of semaphores and shared memory of System V. The kernel has them, so neither a restore nor the
// end of a worker undoes what an execution does to them. What the test has made before its first thread is
// put back before each worker; what an execution has made goes with its worker. A removal of the former is
// only noted, because further executions need it.
//
// Callers: the zygote; where said so, the running fiber. Shared with the workers and their children: which
// objects are there, and which are removed. Room is for k_system_v_objects.
#pragma once

#include <cstdint>

#include "reex/runtime/core/fiber.h"

namespace reex {

inline constexpr unsigned k_system_v_objects = 256;

enum class SystemV : std::uint8_t { queue, semaphores, memory };

// The zygote, at the first pthread_create. Refuses the test if the contents cannot be kept.
void remember_system_v();
void put_system_v_back(); // before each worker, and after the last one
void remove_system_v();   // at the end

// The running fiber. The execution has removed the object.
bool is_removed(SystemV kind, int id);
// A visible operation on all objects: they are one.
void system_v_point(void* pc, void* frame);
// An object was changed: those who wait look again.
void system_v_changed();

// The scheduler: the part of is_enabled of an operation that waits.
bool system_v_ready(const Pending& pending);

} // namespace reex
