#include "reex/runtime/schedule/spurious.h"

#include "reex/runtime/core/enabled.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/schedule/choose.h"

namespace reex {

Fiber* choose_spurious_wake() {
  if (!g.control->config.spurious) return nullptr;
  Fiber* const chosen = choose_or_leave(ChoiceKind::spurious, may_wake_spuriously);
  if (chosen != nullptr) chosen->pending.spurious = true;
  return chosen;
}

} // namespace reex
