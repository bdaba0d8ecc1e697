#include "reex/runtime/order/lifetime.h"

#include "reex/runtime/core/ending.h"
#include "reex/runtime/machine/modules.h"
#include "reex/runtime/order/annotated.h"
#include "reex/runtime/order/happens_before.h"
#include "reex/runtime/order/race.h"
#include "reex/runtime/order/reach.h"

namespace reex {
namespace {

// Returns whether the write is recorded.
bool write(void* object, std::size_t size, FindingAct act, void* pc) {
  if (!g.active || is_opaque(reinterpret_cast<std::uint64_t>(pc))) return false;
  reach_access(object, size, true, pc);
  if (g_watching) watch_access(object, size, act, pc);
  return g_watching && g_ordering && !accesses_are_unseen();
}

} // namespace

void begin_life(void* object, std::size_t size, void* pc) {
  write(object, size, FindingAct::initialized, pc);
}

void end_life(void* object, std::size_t size, const std::uint32_t& life, const char* kind, void* pc) {
  if (!write(object, size, FindingAct::destroyed, pc))
    watch_renewed(object, size); // so that no later use is taken for one of many (race.cpp)
  if (g.active && life == k_destroyed) use_after_destroy(kind, "destroy");
}

} // namespace reex
