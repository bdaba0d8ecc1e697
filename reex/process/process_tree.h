// Processes as the kernel knows them. A process id that comes from memory which a test can write is never
// used; these functions find a test's processes below the one that reex has started itself.
#pragma once

#include <chrono>
#include <optional>
#include <sys/types.h>
#include <vector>

namespace reex {

// The child of `parent` that was made last and is alive; nothing where there is none. Cost: one or two small
// files of /proc for each child; a look at all processes where the kernel does not list children.
std::optional<pid_t> youngest_child(pid_t parent);

// Sends a signal to `process` if it is a child of `parent`. False: it is not, or has ended. The process is
// held by a descriptor before its parent is asked for, so that no other one can take its number in between.
bool signal_child(pid_t process, pid_t parent, int signal);

// Whether the process is there and has not ended. One that waits to be reaped has ended.
bool is_alive(pid_t process);

// Whether some process of the group is alive.
bool is_group_alive(pid_t group);

std::vector<pid_t> children_now(pid_t parent); // also those that have ended and that nobody has waited for

// What a process and its descendants do.
struct Activity {
  pid_t process = 0;
  std::chrono::nanoseconds processor{0}; // time that those have used which live now
  bool waits = false;                    // all of them wait in the kernel and can be interrupted
};
Activity activity_of(pid_t process);

// The number of the system call in which the process waits; nullopt if it runs, or the kernel does not tell.
std::optional<long> system_call_of(pid_t process);

// How many processes want to run for each processor of the machine, at the moment.
double machine_load();

} // namespace reex
