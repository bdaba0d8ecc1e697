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
#include "reex/runtime/environment/faults.h"
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

long map(long place, std::size_t size, long protection, long flags, long descriptor = -1) {
  const long address =
      raw_syscall(SYS_mmap, place, static_cast<long>(size), protection, flags | MAP_NORESERVE, descriptor, 0);
  return address < 0 && address > -4096 ? 0 : address;
}

void* map_shadow_stack() {
  return reinterpret_cast<void*>(
      map(0, k_shadow_room, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS)); // NOLINT: an address
}

// At the start of a large page, for the table in it (reex/search/table_memory.h).
ControlBlock* map_block(int descriptor, long protection = PROT_READ | PROT_WRITE) {
  constexpr auto k_large = static_cast<long>(k_large_page);
  constexpr auto k_size = static_cast<long>(sizeof(ControlBlock));
  const long room = map(0, k_size + k_large, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS);
  if (room == 0) return nullptr;
  const long place = (room + k_large - 1) & ~(k_large - 1);
  if (map(place, k_size, protection, MAP_SHARED | MAP_FIXED, descriptor) == 0) return nullptr;
  const long after = place + k_size;
  if (place != room) raw_syscall(SYS_munmap, room, place - room);
  if (const long left = room + k_size + k_large - after; left != 0) raw_syscall(SYS_munmap, after, left);
  // A file full of holes: reading ahead would fill pages with zeros that nobody looks at.
  raw_syscall(SYS_madvise, place, k_size, MADV_RANDOM);
  return reinterpret_cast<ControlBlock*>(place); // NOLINT: an address
}

// The table of seen steps, where it is not in the block's file.
bool map_table(ControlBlock& block, int descriptor) {
  return descriptor < 0 || map(as_long(&block.frontier.seen), sizeof block.frontier.seen,
                               PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor) != 0;
}

// Runs before every other constructor (-z initfirst), also before libc's, which would set `environ`.
__attribute__((constructor(101))) void start(int, char**, char** environment) {
  environ = environment;
  const char* descriptor = getenv(k_control_variable);
  if (descriptor == nullptr)
    refuse("libreex_rt.so: not started by reex: run `reex PROGRAM` instead of preloading it\n");
  probe_fs();
  find_libc();
  g.control = map_block(atoi(descriptor));
  if (g.control == nullptr)
    refuse("libreex_rt.so: the memory that reex shares with the test cannot be mapped\n");
  if (g.control->magic != k_control_magic || g.control->size != sizeof(ControlBlock))
    refuse("libreex_rt.so: reex and its runtime are of different builds: install them together\n");
  g.shared = g.control;
  if (const char* shared = getenv(k_shared_variable); shared != nullptr) {
    // The first worker takes as much address space for nothing, so that all have the same addresses.
    const int of_first = atoi(shared);
    ControlBlock* const block = of_first >= 0 ? map_block(of_first) : map_block(atoi(descriptor), PROT_NONE);
    if (block == nullptr) refuse("libreex_rt.so: no address space for the shared search\n");
    if (of_first >= 0) {
      g.shared = block;
      close(of_first);
    }
  }
  if (const char* table = getenv(k_table_variable); table != nullptr && atoi(table) >= 0) {
    if (!map_table(*g.shared, atoi(table)))
      refuse("libreex_rt.so: the memory that reex shares with the test cannot be mapped\n");
    close(atoi(table));
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
  char* const shadow = static_cast<char*>(map_shadow_stack());
  main.shadow_base = main.shadow_top = g_shadow_top = reinterpret_cast<void**>(shadow + k_below_shadow);
  g.current = &main;
  forget_threads();
  read_actions();
  trap_time_stamps();
  take_faults();
  remember_scheduling(main.own.scheduling);
  unsetenv("LD_BIND_NOW");
  unsetenv("LD_PRELOAD"); // the test's children run without reex
  unsetenv(k_control_variable);
  unsetenv(k_shared_variable);
  unsetenv(k_table_variable);
  unsetenv(k_files_variable);
}

} // namespace
} // namespace reex
