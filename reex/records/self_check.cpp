#include "reex/records/self_check.h"

#include "reex/records/checked.h"

namespace reex {

namespace {

constexpr Checked k_checked("self-check");

VisitCopy read_visit(const SelfCheck& shared, const Visit& place, std::uint32_t pcs_used) {
  const Visit visit = fetch(place);
  k_checked.enumerator(visit.operation, k_last_operation, "an operation");
  k_checked.at_most(visit.depth, k_max_stack, "the depth of a stack");
  VisitCopy copy{.thread = visit.thread, .operation = visit.operation, .stack = {}};
  if (visit.depth == 0) return copy;
  k_checked.at_most(std::uint64_t{visit.first_pc} + visit.depth, pcs_used, "the place of a stack");
  copy.stack = fetch_all(shared.pcs + visit.first_pc, visit.depth);
  return copy;
}

} // namespace

std::uint64_t read_length(const SelfCheck& shared) {
  const CheckedEnd first = fetch(shared.end[0]);
  k_checked.enumerator(first.end, End::pruned, "an ending");
  return first.end == End::running || first.end == End::step_limit ? 0 : fetch(shared.length);
}

bool read_restore_at_fault(const SelfCheck& shared) {
  return k_checked.flag(shared.restore_at_fault, "the mark of a restore");
}

bool read_prints_other(const SelfCheck& shared) {
  return k_checked.flag(shared.prints_other, "the mark of other outputs");
}

SelfCheckCopy read_self_check(const SelfCheck& shared) {
  SelfCheckCopy copy;
  copy.restore_at_fault = read_restore_at_fault(shared);
  copy.ended_early = k_checked.flag(shared.ended_early, "the mark of an early end");
  const std::uint32_t steps =
      k_checked.at_most(fetch(shared.steps), k_max_trace_steps, "the number of steps");
  const std::uint32_t used =
      k_checked.at_most(fetch(shared.pcs_used), k_max_trace_steps, "the number of stack entries");
  copy.step = k_checked.at_most(fetch(shared.step), k_max_trace_steps, "the step");
  if (copy.step < steps) copy.first = read_visit(shared, shared.visit[copy.step], used);
  copy.other = read_visit(shared, shared.other, used);
  for (unsigned i = 0; i < 2; ++i) {
    copy.end[i] = fetch(shared.end[i]);
    k_checked.enumerator(copy.end[i].end, End::pruned, "an ending");
  }
  return copy;
}

} // namespace reex
