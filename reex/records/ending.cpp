#include "reex/records/ending.h"

#include "reex/records/checked.h"
#include "reex/shared/limits.h"

namespace reex {

EndingCopy read_ending(const Ending& shared) {
  const Checked checked("ending");
  return {.end = checked.enumerator(fetch(shared.end), End::pruned, "the kind"),
          .value = fetch(shared.value),
          .thread = checked.at_most(fetch(shared.thread), k_max_created, "the thread"),
          .times_passed = fetch(shared.times_passed),
          .patience = fetch(shared.patience),
          .limit = fetch(shared.limit),
          .message = checked.text(shared.message, "the message")};
}

} // namespace reex
