#include "reex/trace/lock_scope.h"

#include <algorithm>

#include "reex/trace/holds.h"

namespace reex {
namespace {

bool is_same_call(const Frame& a, const Frame& b) {
  return a.function == b.function && a.file == b.file && a.line == b.line && a.column == b.column;
}

} // namespace

std::size_t scope_of(const std::vector<Frame>& taken, const std::vector<Frame>& later) {
  const auto [here, there] =
      std::mismatch(taken.rbegin(), taken.rend(), later.rbegin(), later.rend(), is_same_call);
  if (here == taken.rend() || there == later.rend()) return 0;
  const bool in_one_function = here->function == there->function && here->file == there->file;
  if (!in_one_function && here == taken.rbegin()) return 0; // no common caller: the stacks are not whole
  const auto scope = in_one_function ? here : here - 1;
  return is_of_user(*scope) ? static_cast<std::size_t>(taken.rend() - scope) - 1 : 0;
}

void mark_helpers(std::vector<Frame>& stack, std::size_t count) {
  const auto end = stack.begin() + static_cast<std::ptrdiff_t>(std::min(count, stack.size()));
  if (end == stack.end() || std::any_of(stack.begin(), end, [](const Frame& frame) { return frame.changed; }))
    return;
  std::for_each(stack.begin(), end, [](Frame& frame) { frame.helper = true; });
}

std::size_t frames_of(const std::vector<Frame>& stack, const std::set<std::string>& functions) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < stack.size(); ++i) {
    if (functions.contains(stack[i].function))
      count = i + 1;
    else if (is_of_user(stack[i]))
      break;
  }
  return count;
}

LockHelpers::LockHelpers(const TraceCopy& trace, const std::vector<TraceStep>& steps,
                         const StackOf& stack_of) {
  const auto stack = [&](const auto& record) { return stack_of(pcs_of(trace, record)); };
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<std::size_t>> taken; // by thread and object
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const TraceStep32& step = trace.steps[i];
    if (acquires(step.operation) && step.operation != Operation::cond_reacquire)
      taken[{step.thread, step.object}].push_back(i);
    if (!releases(step.operation)) continue;
    const auto of_object = taken.find({step.thread, step.object});
    if (of_object == taken.end() || of_object->second.empty()) continue;
    const std::size_t begin = of_object->second.back();
    of_object->second.pop_back();
    if (steps[begin].stack.empty() && steps[i].stack.empty()) continue;
    const std::vector<Frame> first = stack(trace.steps[begin]);
    const std::vector<Frame> last = stack(step);
    add(begin, first, last);
    add(i, last, first);
  }
  for (const TracePosition& position : trace.positions)
    for (const auto& [of, begins] : taken)
      for (const std::size_t begin : begins)
        if (of.first == position.thread && (begin == begins.back() || !steps[begin].stack.empty()))
          add(begin, stack(trace.steps[begin]), stack(position));
}

void LockHelpers::add(std::size_t step, const std::vector<Frame>& stack, const std::vector<Frame>& other) {
  const std::size_t count = scope_of(stack, other);
  if (count == 0) return;
  m_frames[step] = count;
  for (std::size_t i = 0; i < count; ++i)
    if (is_of_user(stack[i])) m_functions.insert(stack[i].function);
}

void LockHelpers::mark(std::vector<TraceStep>& steps) const {
  for (const auto& [step, count] : m_frames) mark_helpers(steps[step].stack, count);
}

void LockHelpers::mark(std::vector<Frame>& stack, std::size_t step) const {
  if (const auto found = m_frames.find(step); found != m_frames.end()) mark_helpers(stack, found->second);
}

void LockHelpers::mark_waiting(std::vector<Frame>& stack) const {
  mark_helpers(stack, frames_of(stack, m_functions));
}

} // namespace reex
