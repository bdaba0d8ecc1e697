// Policy, priority, nice value and processors of threads. Threads of the test are none of the kernel's, so
// the rules of the kernel are here: which values it takes, who may ask for them, and what a new thread
// inherits.
//
// A thread has a rank if its policy is a real-time one and the test has confined it to a single processor. Of
// the threads with a rank on the same processor, the kernel runs one that can run and has the highest
// priority. So it is here (is_outranked, schedule/enabled.cpp). Otherwise policies, priorities, nice values
// and processors have no effect on the schedule.
//
// Callers: the running fiber; remember_scheduling, the start of the process.
//
// Invariants: all that belongs to a thread is in Personal::scheduling. Which processors the system permits is
// found out at the start of the process and does not change.
#pragma once

#include <cstddef>

#include "reex/runtime/core/fiber.h"

namespace reex {

// Asks the kernel for what the process has and may have: main begins with it.
void remember_scheduling(Scheduling& of_main);

// These return an error number, or 0 after the change.
int set_policy(Scheduling& of, int policy, int priority);
int set_processors(Scheduling& of, std::size_t size, const cpu_set_t* wanted);

bool is_fair(int policy); // one for which the nice value counts
// The nearest value that there is; whether the thread may set it is the kernel's rule.
bool may_have_nice(const Scheduling& of, int wanted);
void set_nice(Scheduling& of, int wanted);

// Returns the number of bytes, as the kernel does, or an error number below 0.
long get_processors(const Scheduling& of, std::size_t size, cpu_set_t* set);

// The system calls themselves, by syscall(). False: it is another one.
bool scheduling_system_call(long number, const long* arguments, long& result);

Scheduling inherited(const Scheduling& creator);

bool has_rank(const Scheduling& of);
// Both have ranks.
bool outranks(const Scheduling& one, const Scheduling& other);

} // namespace reex
