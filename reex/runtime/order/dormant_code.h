// Libraries without hooks that the test may call. Nothing in them orders two threads as long as nobody has
// entered them: a race is one then, the reduction sees all, and a loop that waits for ever is known to. So
// their code may not be executed at first. Who enters it faults, and the handler of SIGSEGV lets all in. If
// that happens in any execution, a new round begins (promoted.h) in which all executions are as if somebody
// were in there from the start; the first execution of all is thrown away for that.
//
// A thread that is alone may go in and out: there is nobody whom it could tell anything, nor whom anybody has
// told anything there. So destructors that run as the process ends do not count. The code falls asleep again
// as the next thread is created.
//
// Callers: put_code_to_sleep, the zygote when the parent has told the places, the controller as an execution
// begins, and the running fiber that has created another one; wake_code, a signal handler, on any stack;
// wake_settled_code, the zygote; wake_all_code, the running fiber.
//
// Invariants: what is entered follows from the schedule, so a replay enters the same. The pages stay
// readable.
//
// Cost: nothing as long as nobody enters, and nothing once it is known that somebody does. In between, a
// fault and two system calls for each mapping and execution.
#pragma once

#include <csignal>

namespace reex {

extern bool g_code_was_visited; // by a thread that was alone: it is to be put to sleep

void put_code_to_sleep();
// The fault comes from there: the thread may go on. Otherwise it is somebody else's, and nothing was done.
bool wake_code(const siginfo_t& details, const void* context);
// Before a worker is forked, which would be let in there in every execution.
void wake_settled_code();
// For good: in a process that the test has forked, and where code cannot be put to sleep.
void wake_all_code();

} // namespace reex
