// Runs when the library is loaded: maps the control block, finds libc's functions, and makes main fiber 0.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/running.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/descriptors/kept/descriptors.h"
#include "reex/runtime/environment/file_watch.h"
#include "reex/runtime/environment/time_stamp_counter.h"
#include "reex/runtime/machine/libc.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/primitives/named_semaphore.h"
#include "reex/runtime/processes/fork.h"
#include "reex/runtime/signals/signals.h"
#include "reex/runtime/threads/scheduling.h"

namespace reex {
namespace {

[[noreturn]] void refuse(const char* why) {
  raw_syscall(SYS_write, 2, as_long(why), static_cast<long>(strlen(why)));
  raw_syscall(SYS_exit_group, 70);
  __builtin_unreachable();
}

void* map_shared(long descriptor, std::size_t size, long protection = PROT_READ | PROT_WRITE) {
  const long flags = descriptor < 0 ? MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE : MAP_SHARED | MAP_NORESERVE;
  const long address = raw_syscall(SYS_mmap, 0, static_cast<long>(size), protection, flags, descriptor, 0);
  if (address < 0 && address > -4096) return nullptr;
  // A file full of holes: reading ahead would fill pages with zeros that nobody looks at.
  if (descriptor >= 0) raw_syscall(SYS_madvise, address, static_cast<long>(size), MADV_RANDOM);
  return reinterpret_cast<void*>(address);
}

// Runs before every other constructor (-z initfirst), also before libc's, which would set `environ`.
__attribute__((constructor(101))) void start(int, char**, char** environment) {
  environ = environment;
  const char* descriptor = getenv(k_control_variable);
  if (descriptor == nullptr)
    refuse("libreex_rt.so: not started by reex: run `reex PROGRAM` instead of preloading it\n");
  probe_fs();
  find_libc();
  g.control = static_cast<ControlBlock*>(map_shared(atoi(descriptor), sizeof(ControlBlock)));
  if (g.control == nullptr)
    refuse("libreex_rt.so: the memory that reex shares with the test cannot be mapped\n");
  if (g.control->magic != k_control_magic || g.control->size != sizeof(ControlBlock))
    refuse("libreex_rt.so: reex and its runtime are of different builds: install them together\n");
  g.shared = g.control;
  if (const char* shared = getenv(k_shared_variable); shared != nullptr) {
    // The first worker takes as much address space for nothing, so that all have the same addresses.
    const int of_first = atoi(shared);
    void* block = of_first >= 0 ? map_shared(of_first, sizeof(ControlBlock))
                                : map_shared(atoi(descriptor), sizeof(ControlBlock), PROT_NONE);
    if (block == nullptr) refuse("libreex_rt.so: no address space for the shared search\n");
    if (of_first >= 0) {
      g.shared = static_cast<ControlBlock*>(block);
      close(of_first);
    }
  }
  close(atoi(descriptor));
  if (const char* files = getenv(k_files_variable); files != nullptr)
    watch_files(atoi(files), getenv(k_shared_variable) != nullptr);
  remember_inherited();
  make_room_for_named_semaphores();
  come_first_in_children();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  Fiber& main = g_fibers[0];
  main = {};
  main.fs = read_fs();
  main.state = FiberState::live;
  char* const shadow = static_cast<char*>(map_shared(-1, k_shadow_room));
  main.shadow_base = main.shadow_top = g_shadow_top = reinterpret_cast<void**>(shadow + k_below_shadow);
  g.current = &main;
  forget_threads();
  read_actions();
  trap_time_stamps();
  remember_scheduling(main.own.scheduling);
  unsetenv("LD_BIND_NOW");
  unsetenv("LD_PRELOAD"); // the test's children run without reex
  unsetenv(k_control_variable);
  unsetenv(k_shared_variable);
  unsetenv(k_files_variable);
}

} // namespace
} // namespace reex
