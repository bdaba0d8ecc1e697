#include "reex/trace/near_miss.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace reex {
namespace {

bool is_atomic(const TraceStep32& step) {
  return step.operation >= Operation::atomic_load && step.operation <= Operation::atomic_cas;
}
bool has_object(const TraceStep32& step) {
  return step.object != 0 && (is_atomic(step) || !is_access(step.operation));
}
bool may_write(const TraceStep32& step) {
  const bool failed = step.operation == Operation::atomic_cas && step.woken == 0;
  return step.operation != Operation::atomic_load && !failed;
}
bool may_read(const TraceStep32& step) { return step.operation != Operation::atomic_store; }

// What is reached from one access, step by step away from it.
class Reach {
public:
  explicit Reach(std::uint16_t thread) : m_threads{thread} {}

  // Whether the step is reached. `takes` and `gives`: whether it is the end of an edge from where we come,
  // and the beginning of one that goes on.
  bool step(const TraceStep32& step, bool takes, bool gives) {
    if (has_object(step) && takes && m_objects.contains(step.object)) m_threads.insert(step.thread);
    const bool reached = m_threads.contains(step.thread);
    if (reached && has_object(step) && gives) m_objects.insert(step.object);
    return reached;
  }

private:
  std::set<std::uint16_t> m_threads;
  std::set<std::uint64_t> m_objects;
};

// The step that created each thread, by its number. The first thread has none.
std::vector<std::uint32_t> creations(const std::vector<TraceStep32>& steps, std::uint32_t end) {
  std::vector<std::uint32_t> found{0};
  for (std::uint32_t i = 0; i < end; ++i)
    if (steps[i].operation == Operation::thread_create) found.push_back(i);
  return found;
}

// What the thread of `side` did before it, and without which `thread` would not have run.
std::optional<std::uint32_t> early_start(const std::vector<TraceStep32>& steps,
                                         const std::vector<std::uint32_t>& created, const FindingSide& side,
                                         std::uint16_t thread) {
  while (thread != 0 && thread < created.size()) {
    const TraceStep32& creation = steps[created[thread]];
    if (creation.thread == side.thread)
      return created[thread] < side.step ? std::optional(created[thread]) : std::nullopt;
    if (creation.thread >= thread) return {}; // a thread is younger than its creator
    thread = creation.thread;
  }
  return {};
}

} // namespace

std::vector<std::uint32_t> near_misses(const std::vector<TraceStep32>& steps, const FindingSide& first,
                                       const FindingSide& last) {
  const auto end = std::min(last.step, static_cast<std::uint32_t>(steps.size()));
  if (first.depth == 0 || last.depth == 0) return {};
  std::set<std::uint32_t> found;
  const std::vector<std::uint32_t> created = creations(steps, end);
  if (const auto start = early_start(steps, created, first, last.thread)) found.insert(*start);
  if (const auto start = early_start(steps, created, last, first.thread)) found.insert(*start);

  std::vector<bool> from_first(steps.size());
  Reach forward(first.thread);
  for (std::uint32_t i = first.step; i < end; ++i)
    from_first[i] = forward.step(steps[i], may_read(steps[i]), may_write(steps[i]));

  std::map<std::uint64_t, std::map<std::uint16_t, std::uint32_t>> readers; // of each thread the next read
  Reach backward(last.thread);
  for (std::uint32_t i = end; i-- > first.step;) {
    const TraceStep32& step = steps[i];
    if (!backward.step(step, may_write(step), may_read(step))) continue;
    if (step.operation == Operation::atomic_fence && from_first[i]) found.insert(i);
    if (!is_atomic(step)) continue;
    auto& of_object = readers[step.object];
    if (from_first[i] && may_write(step))
      for (const auto& [thread, read] : of_object)
        if (thread != step.thread) found.insert({i, read});
    if (may_read(step)) of_object[step.thread] = i;
  }
  return {found.begin(), found.end()};
}

std::vector<std::uint32_t> looks_on_the_way(const std::vector<TraceStep32>& steps, const FindingSide& first,
                                            const FindingSide& last) {
  const auto end = std::min(last.step, static_cast<std::uint32_t>(steps.size()));
  if (first.depth == 0 || last.depth == 0) return {};
  std::vector<bool> from_first(steps.size());
  Reach forward(first.thread);
  for (std::uint32_t i = first.step; i < end; ++i)
    from_first[i] = forward.step(steps[i], may_read(steps[i]), may_write(steps[i]));

  std::vector<std::uint32_t> found;
  struct Later {
    std::set<std::uint16_t> readers; // the threads of reads that lead to the last access
    std::set<std::uint16_t> writers; // those that write before such a read of another one
  };
  std::map<std::uint64_t, Later> later;
  Reach backward(last.thread);
  for (std::uint32_t i = end; i-- > first.step;) {
    const TraceStep32& step = steps[i];
    const bool reached = backward.step(step, may_write(step), may_read(step));
    if (!is_atomic(step)) continue;
    auto& [readers, writers] = later[step.object];
    const bool by_other =
        std::any_of(readers.begin(), readers.end(), [&](std::uint16_t one) { return one != step.thread; });
    if (by_other && may_write(step)) writers.insert(step.thread);
    if (by_other && from_first[i] && !may_write(step) && !writers.contains(step.thread)) found.push_back(i);
    if (reached && may_read(step)) readers.insert(step.thread);
  }
  return found;
}

} // namespace reex
