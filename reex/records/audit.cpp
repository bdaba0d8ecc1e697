#include "reex/records/audit.h"

#include "reex/records/checked.h"
#include "reex/shared/limits.h"

namespace reex {

namespace {
constexpr Checked k_checked("audit");
} // namespace

AuditRecord read_audit(const AuditRecord& shared) {
  AuditRecord copy;
  copy.refuted = k_checked.flag(shared.refuted, "the mark of a refutation");
  copy.operation = k_checked.enumerator(fetch(shared.operation), k_last_operation, "an operation");
  copy.thread = fetch(shared.thread);
  k_checked.at_most(copy.thread, k_max_created - 1, "a thread");
  copy.step = fetch(shared.step);
  copy.pc = fetch(shared.pc);
  return copy;
}

} // namespace reex
