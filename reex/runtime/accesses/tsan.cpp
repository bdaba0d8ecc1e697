// The hooks of -fsanitize=thread for plain accesses and for entries and exits of functions, as g++ and clang
// emit them. tsan_atomic.cpp has those for atomics.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "reex/runtime/accesses/access.h"
#include "reex/runtime/core/enabled.h"
#include "reex/runtime/core/running.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/virtual_time.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/new_code.h"
#include "reex/runtime/order/promoted.h"
#include "reex/runtime/order/race.h"
#include "reex/runtime/order/shadow_memory.h"
#include "reex/runtime/order/time_ahead.h"

using namespace reex;

namespace {

using U64 = std::uint64_t;

// Many accesses without a visible operation may be a loop that waits for another thread through a plain
// variable (semantics: "Points"). From then on, accesses are sampled. A read that is always the same, with
// the same value, is such a wait and becomes visible. A long computation becomes visible now and then. A
// sample of another execution or thread does not count, so that an execution does the same whatever came
// before it.
struct Sample {
  std::uint32_t execution;
  unsigned thread;
  void* pc;
  const void* address;
  U64 value;
  unsigned count;
};
Sample g_sample;

// Otherwise nobody needs the thread to stop.
bool others_wait() {
  for (const Fiber* fiber : alive())
    if (fiber != g.current && (is_enabled(*fiber) || can_time_out(*fiber))) return true;
  return false;
}

bool waits_in_loop(const void* address, U64 value, bool write, void* pc) {
  count_accesses();
  refuel(k_fuel_of_suspect);
  if (++g.current->samples % k_stretch_samples == 0 && others_wait()) {
    g_time.operations += k_stretch_operations;
    return true;
  }
  if (write) return false;
  const bool same = g_sample.execution == g_execution && g_sample.thread == g.current->id &&
                    g_sample.pc == pc && g_sample.address == address && g_sample.value == value;
  g_sample = {g_execution, g.current->id, pc, address, value, same ? g_sample.count + 1 : 1};
  return g_sample.count >= k_suspect_samples;
}

} // namespace

__attribute__((noinline)) void reex::plain_access(const void* address, std::size_t size, bool write,
                                                  void* pc) {
  __builtin_unwind_init();
  if (!g.active) {
    refuel(g.controlled ? k_fuel : k_fuel_alone);
    if (!g.controlled) compute_alone(pc, REEX_FRAME);
    return;
  }
  if (g_loading != 0) {
    loading_ended(*g.current);
    if (g_fuel >= g_visible_below && !is_promoted(pc)) return;
  }
  U64 value = 0;
  if (!write) memcpy(&value, address, size < sizeof value ? size : sizeof value);
  const bool suspected = g_fuel < 0;
  if (suspected && !waits_in_loop(address, value, write, pc) && g_visible_below == 0 && !is_promoted(pc))
    return;
  void* object = const_cast<void*>(address);
  const Operation operation = write ? Operation::plain_write : Operation::plain_read;
  fingerprint_extent(size);
  visible_pending(operation, object, pc, REEX_FRAME, k_never, size);
  if (!write) {
    memcpy(&value, address, size < sizeof value ? size : sizeof value);
    note_read(object, value);
  }
  if (suspected) refuel(k_fuel_of_suspect);
}

#define ACCESS(size, write) access(address, size, write, REEX_CALLER)

#define ACCESS_HOOKS(size)                                                                                   \
  REEX_EXPORT void __tsan_read##size(void* address) { ACCESS(size, false); }                                 \
  REEX_EXPORT void __tsan_write##size(void* address) { ACCESS(size, true); }                                 \
  REEX_EXPORT void __tsan_read##size##_pc(void* address, void* pc) { access(address, size, false, pc); }     \
  REEX_EXPORT void __tsan_write##size##_pc(void* address, void* pc) { access(address, size, true, pc); }     \
  REEX_EXPORT void __tsan_read_write##size(void* address) {                                                  \
    ACCESS(size, false);                                                                                     \
    ACCESS(size, true);                                                                                      \
  }                                                                                                          \
  REEX_EXPORT void __tsan_unaligned_read##size(void* address) { ACCESS(size, false); }                       \
  REEX_EXPORT void __tsan_unaligned_write##size(void* address) { ACCESS(size, true); }                       \
  REEX_EXPORT void __tsan_unaligned_read_write##size(void* address) {                                        \
    ACCESS(size, false);                                                                                     \
    ACCESS(size, true);                                                                                      \
  }                                                                                                          \
  REEX_EXPORT void __tsan_volatile_read##size(void* address) { ACCESS(size, false); }                        \
  REEX_EXPORT void __tsan_volatile_write##size(void* address) { ACCESS(size, true); }                        \
  REEX_EXPORT void __tsan_unaligned_volatile_read##size(void* address) { ACCESS(size, false); }              \
  REEX_EXPORT void __tsan_unaligned_volatile_write##size(void* address) { ACCESS(size, true); }

ACCESS_HOOKS(1)
ACCESS_HOOKS(2)
ACCESS_HOOKS(4)
ACCESS_HOOKS(8)
ACCESS_HOOKS(16)

REEX_EXPORT void __tsan_read_range(void* address, std::size_t size) { ACCESS(size, false); }
REEX_EXPORT void __tsan_write_range(void* address, std::size_t size) { ACCESS(size, true); }
REEX_EXPORT void __tsan_read_range_pc(void* address, std::size_t size, void* pc) {
  access(address, size, false, pc);
}
REEX_EXPORT void __tsan_write_range_pc(void* address, std::size_t size, void* pc) {
  access(address, size, true, pc);
}
REEX_EXPORT void __tsan_vptr_read(void** address) { ACCESS(sizeof(void*), false); }
REEX_EXPORT void __tsan_vptr_update(void** address, void* value) {
  if (*address != value) ACCESS(sizeof(void*), true);
}

REEX_EXPORT void* __tsan_memcpy(void* to, const void* from, std::size_t size) {
  access(from, size, false, REEX_CALLER);
  access(to, size, true, REEX_CALLER);
  return memcpy(to, from, size);
}

REEX_EXPORT void* __tsan_memmove(void* to, const void* from, std::size_t size) {
  access(from, size, false, REEX_CALLER);
  access(to, size, true, REEX_CALLER);
  return memmove(to, from, size);
}

REEX_EXPORT void* __tsan_memset(void* to, int value, std::size_t size) {
  access(to, size, true, REEX_CALLER);
  return memset(to, value, size);
}

REEX_EXPORT void __tsan_init() {
  g_instrumented = true;
  code_comes(); // the module may be loaded during an execution
}
REEX_EXPORT void __tsan_func_entry(void* pc) { *g_shadow_top++ = pc; }
REEX_EXPORT void __tsan_func_exit() { --g_shadow_top; }
