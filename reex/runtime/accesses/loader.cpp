// The lock is a mutex of reex's own. Nothing may stand between dlopen and its caller, whose library decides
// where it looks. So the end of a call is not seen as it comes, but when its thread accesses memory or
// reaches its next scheduling point: up to there, no other thread runs, and there is nothing that could race.
#include "reex/runtime/accesses/loader.h"

#include <cstring>
#include <limits>
#include <link.h>
#include <pthread.h>
#include <sys/auxv.h>

#include "reex/runtime/accesses/library_call.h"
#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/running.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/machine/modules.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/happens_before.h"
#include "reex/runtime/order/shadow_memory.h"
#include "reex/runtime/primitives/primitives.h"

using namespace reex;

namespace reex {
unsigned g_loading = 0;
}

namespace {

// They belong to one execution, like g_loading.
pthread_mutex_t g_lock;
std::uint32_t g_lock_execution = 0;

pthread_mutex_t* lock_of_loader() {
  if (g_lock_execution != g_execution) {
    memset(&g_lock, 0, sizeof g_lock);
    g_loading = 0;
    object_at<Mutex>(&g_lock).kind = PTHREAD_MUTEX_RECURSIVE;
    g_lock_execution = g_execution;
  }
  return &g_lock;
}

constexpr unsigned k_most_calls = 64;

// A call of dlopen or dlclose, from which its thread may have returned.
struct Call {
  Fiber* fiber;
  std::uint64_t* frame; // the stack after the return; the return address lies below it
  std::uint64_t pc;
};
Call g_calls[k_most_calls]; // the first g_loading

std::uint64_t as_number(const void* address) { return reinterpret_cast<std::uint64_t>(address); }

// The loader is the first thing that the kernel maps for a program, and ends where its data does.
bool in_loader(std::uint64_t address) {
  static const std::uint64_t g_low = getauxval(AT_BASE);
  static const std::uint64_t g_high = [] {
    const auto& header = *reinterpret_cast<const ElfW(Ehdr)*>(g_low);
    const auto* part = reinterpret_cast<const ElfW(Phdr)*>(g_low + header.e_phoff);
    std::uint64_t high = g_low;
    for (unsigned i = 0; i < header.e_phnum; ++i)
      if (part[i].p_type == PT_LOAD && (part[i].p_flags & PF_X) != 0)
        high = g_low + part[i].p_vaddr + part[i].p_memsz;
    return high;
  }();
  return address >= g_low && address < g_high;
}

// `stack`: an address in the frame of a function that the thread is in now. Each later call from the same
// frame of the caller has put another return address into the place of this one.
bool has_returned(const Call& call, const void* stack) {
  if (stack >= call.frame || call.frame[-1] != call.pc) return true;
  const auto low = (as_number(stack) + 7) / 8 * 8;
  for (const auto* at = reinterpret_cast<const std::uint64_t*>(low); at < call.frame - 1; ++at)
    if (in_loader(*at)) return false;
  return true;
}

// Gives the lock back for the calls that have returned.
void drop_calls(Fiber& self, const void* stack) {
  pthread_mutex_t* const lock = lock_of_loader();
  unsigned kept = 0;
  for (unsigned i = 0; i < g_loading; ++i)
    if (g_calls[i].fiber != &self || !has_returned(g_calls[i], stack)) {
      g_calls[kept++] = g_calls[i];
    } else {
      release_to(lock);
      unlock_for_wait(object_at<Mutex>(lock));
      fingerprint_inner_operation(Operation::mutex_unlock, lock);
    }
  g_loading = kept;
  if (kept == 0) g_stopped_below = g_visible_below;
}

// What the runtime and the unwinder do with the list ends before any other thread runs.
bool may_stop(const void* pc) {
  const auto caller = reinterpret_cast<std::uint64_t>(pc);
  return g.active && !in_runtime(caller) && !in_unwinder(caller) && !is_alone();
}

using VisitLibrary = int(dl_phdr_info*, std::size_t, void*);
Real<int(VisitLibrary*, void*)> g_walk{"dl_iterate_phdr"};

} // namespace

void reex::begin_loading(void* pc, void* frame) {
  pthread_mutex_t* const lock = lock_of_loader();
  if (g_loading != 0) drop_calls(*g.current, frame); // an earlier call from here has returned
  auto& mutex = object_at<Mutex>(lock);
  if (mutex.depth == 0 || mutex.held_by(*g.current)) {
    acquire_from(lock);
    lock_after_wait(mutex);
    fingerprint_inner_operation(Operation::mutex_lock, lock); // as if it had had to wait
  } else {
    lock_mutex(lock, pc, frame);
  }
  if (g_loading == k_most_calls) refuse("initializers of libraries that load libraries, to such a depth");
  g_stopped_below = std::numeric_limits<std::int32_t>::max();
  g_calls[g_loading++] = {
      .fiber = g.current, .frame = static_cast<std::uint64_t*>(frame), .pc = as_number(pc)};
}

void reex::loading_ended(Fiber& self) {
  if (g_lock_execution != g_execution) {
    g_loading = 0;
    g_stopped_below = g_visible_below;
  } else {
    drop_calls(self, __builtin_frame_address(0));
  }
}

REEX_EXPORT int dl_iterate_phdr(VisitLibrary* visit_library, void* data) {
  if (!may_stop(REEX_CALLER)) return g_walk(visit_library, data);
  lock_mutex(lock_of_loader(), REEX_READ_CALLER);
  const int result = g_walk(visit_library, data);
  unlock_mutex(lock_of_loader(), REEX_READ_CALLER);
  return result;
}
