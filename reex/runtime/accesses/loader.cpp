// The lock is a mutex of reex's own. Threads that load libraries take it and give it back before they begin:
// up to their end, no other thread runs, unless an initializer of the library stops at a scheduling point.
#include "reex/runtime/accesses/loader.h"

#include <cstring>
#include <link.h>
#include <pthread.h>

#include "reex/runtime/accesses/library_call.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/machine/modules.h"
#include "reex/runtime/order/happens_before.h"
#include "reex/runtime/order/shadow_memory.h"
#include "reex/runtime/primitives/primitives.h"

using namespace reex;

namespace {

// It belongs to one execution.
pthread_mutex_t g_lock;
std::uint32_t g_lock_execution = 0;

pthread_mutex_t* lock_of_loader() {
  if (g_lock_execution != g_execution) {
    memset(&g_lock, 0, sizeof g_lock);
    object_at<Mutex>(&g_lock).kind = PTHREAD_MUTEX_RECURSIVE;
    g_lock_execution = g_execution;
  }
  return &g_lock;
}

// What the runtime and the unwinder do with the list ends before any other thread runs.
bool may_stop(const void* pc) {
  const auto caller = reinterpret_cast<std::uint64_t>(pc);
  return g.active && g.live >= 2 && !in_runtime(caller) && !in_unwinder(caller);
}

using VisitLibrary = int(dl_phdr_info*, std::size_t, void*);
Real<int(VisitLibrary*, void*)> g_walk{"dl_iterate_phdr"};

} // namespace

void reex::wait_for_walks(void* pc, void* frame) {
  pthread_mutex_t* const lock = lock_of_loader();
  if (object_at<Mutex>(lock).depth == 0) return acquire_from(lock);
  lock_mutex(lock, pc, frame);
  unlock_mutex(lock, pc, frame);
}

REEX_EXPORT int dl_iterate_phdr(VisitLibrary* visit_library, void* data) {
  if (!may_stop(REEX_CALLER)) return g_walk(visit_library, data);
  lock_mutex(lock_of_loader(), REEX_READ_CALLER);
  const int result = g_walk(visit_library, data);
  unlock_mutex(lock_of_loader(), REEX_READ_CALLER);
  return result;
}
