#include "reex/runtime/record/parting.h"

#include "reex/runtime/core/process.h"
#include "reex/runtime/core/runtime.h"

namespace reex {

void note_parting(const Candidates& candidates, unsigned rank) {
  const std::uint32_t taken = search().decision_count();
  AuditRecord& audit = g.control->audit;
  if (!search().is_audit() || !search().plan_done() || taken == 0 || audit.refuted) return;
  const Choice& last = g.control->plan.list[taken - 1];
  const std::uint16_t thread = candidates.thread[rank];
  if (last.step != candidates.step || last.kind != candidates.kind || last.thread != thread) return;
  audit = {.thread = g.current->id, .step = candidates.step};
  if (candidates.kind != ChoiceKind::run) return;
  const Pending& pending = live_thread(thread)->pending;
  audit.thread = thread;
  audit.operation = pending.operation;
  audit.pc = reinterpret_cast<std::uint64_t>(pending.pc);
}

} // namespace reex
