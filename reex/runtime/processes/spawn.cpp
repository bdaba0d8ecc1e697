// Processes that libc makes for the test. They run without control from their beginning, as other programs.
// What such a call does until the new program runs is libc's own.
#include <cstdio>
#include <cstdlib>
#include <spawn.h>

#include "reex/runtime/core/visible.h"
#include "reex/runtime/descriptors/channels.h"
#include "reex/runtime/environment/time_stamp_counter.h"
#include "reex/runtime/machine/libc.h"
#include "reex/runtime/machine/platform.h"

using namespace reex;

REEX_EXPORT int posix_spawn(pid_t* child, const char* path, const posix_spawn_file_actions_t* actions,
                            const posix_spawnattr_t* attributes, char* const* arguments,
                            char* const* environment) {
  process_made();
  const RealTimeStamps in_child;
  return libc().posix_spawn(child, path, actions, attributes, arguments, environment);
}

REEX_EXPORT int posix_spawnp(pid_t* child, const char* file, const posix_spawn_file_actions_t* actions,
                             const posix_spawnattr_t* attributes, char* const* arguments,
                             char* const* environment) {
  process_made();
  const RealTimeStamps in_child;
  return libc().posix_spawnp(child, file, actions, attributes, arguments, environment);
}

REEX_EXPORT FILE* popen(const char* command, const char* mode) {
  process_made();
  const RealTimeStamps in_child;
  return libc().popen(command, mode);
}

REEX_EXPORT int system(const char* command) {
  {
    const CancellationPoint point;
    reach_cancellation_point(REEX_CALLER, REEX_FRAME);
  }
  process_made();
  const RealTimeStamps in_child;
  return libc().system(command);
}
