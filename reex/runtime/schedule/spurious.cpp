#include "reex/runtime/schedule/spurious.h"

#include "reex/runtime/core/enabled.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/schedule/choose.h"

namespace reex {

Fiber* choose_spurious_wake() {
  if (!g.control->config.spurious) return nullptr;
  std::uint16_t ids[k_max_candidates];
  ids[0] = k_max_created; // rank 0: nobody
  unsigned count = 1;
  for (const Fiber* fiber : alive())
    if (count < k_max_candidates && may_wake_spuriously(*fiber)) ids[count++] = fiber->id;
  if (count == 1) return nullptr;
  const unsigned rank = choose({.kind = ChoiceKind::spurious,
                                .count = count,
                                .thread = ids,
                                .bits = nullptr,
                                .current_first = false,
                                .leaving_is_free = true,
                                .step = g.step,
                                .hash = g.hash});
  if (rank == 0) return nullptr;
  Fiber& chosen = *live_thread(ids[rank]);
  chosen.pending.spurious = true;
  return &chosen;
}

} // namespace reex
