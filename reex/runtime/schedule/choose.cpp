#include "reex/runtime/schedule/choose.h"

#include <algorithm>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/process.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/record/guide.h"
#include "reex/runtime/record/log.h"
#include "reex/runtime/record/parting.h"

namespace reex {

unsigned choose(const Candidates& candidates) {
  if (g.beyond_limit) return 0;
  if (g.detail) guide(candidates);
  const unsigned rank = search().choose(candidates);
  if (rank == Search::k_pruned) end_execution(End::pruned, 0, nullptr);
  if (rank == Search::k_diverged) end_execution(End::diverged, static_cast<int>(candidates.step), nullptr);
  if (g.detail) note_turn(candidates, rank);
  note_parting(candidates, rank);
  log_choice(candidates, rank);
  return rank;
}

unsigned choose_freely(ChoiceKind kind, const std::uint16_t* ids, unsigned count, bool rare_is_free) {
  return choose({.kind = kind,
                 .count = count,
                 .thread = ids,
                 .bits = nullptr,
                 .current_first = false,
                 .leaving_is_free = true,
                 .step = g.step,
                 .hash = g.hash,
                 .rare_is_free = rare_is_free});
}

unsigned choose_among(ChoiceKind kind, const std::uint16_t* ids, unsigned count) {
  unsigned chosen = 0;
  fingerprint_choice(kind, ids, count);
  if (count > 1 && g.controlled) {
    Inside inside;
    chosen = choose_freely(kind, ids, count);
  }
  g.hash = g.hash * 31 + ids[chosen];
  if (count > 1) {
    fingerprint_chosen(ids[chosen]);
    // Who uses the object next finds what was chosen, for example which waiter is gone.
    const Pending& pending = g.current->pending;
    if (pending.object != nullptr) fingerprint_words(pending.operation, pending.object, 1);
  }
  return chosen;
}

Fiber& choose_waiter(std::uint16_t* ids, unsigned count) {
  constexpr std::uint32_t k_most_passed_over = 32;
  unsigned first = 0;
  for (unsigned i = 0; i < count && count > 1; ++i)
    if (const std::uint32_t times = live_thread(ids[i])->passed_over;
        times >= k_most_passed_over && times > live_thread(ids[first])->passed_over)
      first = i;
  std::rotate(ids, ids + first, ids + first + 1);
  Fiber& chosen = *live_thread(ids[choose_among(ChoiceKind::wake, ids, count)]);
  for (unsigned i = 0; i < count && count > 1; ++i) ++live_thread(ids[i])->passed_over;
  chosen.passed_over = 0;
  return chosen;
}

} // namespace reex
