// clone() with glibc's signature. GoogleTest's threadsafe death tests use it to make a process. That is a
// fork, and the child runs without control.
#include <csignal>
#include <cstdarg>
#include <sched.h>
#include <sys/types.h>
#include <unistd.h>

#include "reex/runtime/descriptors/channels.h"
#include "reex/runtime/environment/time_stamp_counter.h"
#include "reex/runtime/machine/platform.h"

extern "C" int __clone(int (*function)(void*), void* stack, int flags, void* argument, ...) noexcept;

// The child has a copy of the caller's stack and runs on that one instead.
REEX_EXPORT int clone(int (*function)(void*), void* stack, int flags, void* argument, ...) noexcept {
  if (flags == SIGCHLD) {
    const pid_t child = fork();
    if (child == 0) _exit(function(argument));
    return child;
  }
  std::va_list list;
  va_start(list, argument);
  void* const parent_id = va_arg(list, void*);
  void* const storage = va_arg(list, void*);
  void* const child_id = va_arg(list, void*);
  va_end(list);
  reex::process_made();
  const reex::RealTimeStamps in_child;
  return __clone(function, stack, flags, argument, parent_id, storage, child_id);
}
