#include "reex/records/trace.h"

#include <algorithm>

#include "reex/records/checked.h"

namespace reex {

namespace {

constexpr Checked k_checked("trace");

void check_operation(Operation operation) {
  k_checked.enumerator(operation, k_last_operation, "an operation");
}

class Stacks {
public:
  explicit Stacks(std::uint32_t used) : m_used(used) {}
  void check(std::uint32_t first, std::uint8_t depth) const {
    k_checked.at_most(depth, k_max_stack, "the depth of a stack");
    if (depth != 0) k_checked.at_most(std::uint64_t{first} + depth, m_used, "the place of a stack");
  }

private:
  std::uint32_t m_used;
};

void check_event(const BlockEvent& event, const Stacks& stacks) {
  if (!k_checked.flag(event.known, "a mark of a memory block")) return;
  stacks.check(event.first_pc, event.depth);
}

} // namespace

// Steps are copied one by one: where the number of steps is wrong, the first empty step tells.
TraceCopy read_trace(const Trace& shared) {
  TraceCopy copy;
  const std::uint32_t steps =
      k_checked.at_most(fetch(shared.steps), k_max_trace_steps, "the number of steps");
  const std::uint32_t threads =
      k_checked.at_most(fetch(shared.threads), k_max_threads, "the number of threads");
  const std::uint32_t used =
      k_checked.at_most(fetch(shared.pcs_used), k_max_trace_pcs, "the number of stack entries");
  copy.length = fetch(shared.length);
  if (copy.length < steps) k_checked.damaged("the length of the execution");
  const Stacks stacks(used);
  for (std::uint32_t i = 0; i < steps; ++i) {
    const TraceStep32 step = fetch(shared.step[i]);
    check_operation(step.operation);
    if (step.operation == Operation::none) k_checked.damaged("step " + std::to_string(i) + " is empty");
    k_checked.at_most(step.thread, k_max_created - 1, "the thread of a step");
    k_checked.at_most(step.from, k_max_created - 1, "the thread before a step");
    k_checked.enumerator(step.leave, Leave::held, "the reason of a switch");
    stacks.check(step.first_pc, step.depth);
    copy.steps.push_back(step);
  }
  for (std::uint32_t i = 0; i < threads; ++i) {
    const TracePosition position = fetch(shared.positions[i]);
    check_operation(position.operation);
    k_checked.at_most(position.thread, k_max_created - 1, "the thread of a position");
    k_checked.at_most(position.state, k_position_waits_again, "the state of a thread");
    stacks.check(position.first_pc, position.depth);
    copy.positions.push_back(position);
  }
  std::ranges::sort(copy.positions, {}, &TracePosition::thread);
  copy.block = fetch(shared.block);
  check_event(copy.block.allocated, stacks);
  check_event(copy.block.freed, stacks);
  copy.pcs = fetch_all(shared.pcs, used);
  return copy;
}

} // namespace reex
