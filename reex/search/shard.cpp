// Shards: each schedule is counted by exactly one of N searches that know nothing of each other.
//
// Executions are told apart by execution_depth: the first one has 0, and one that takes an alternative of
// another has one more than that. All shards make the executions before the cut, and the first one counts
// them. An alternative at the cut belongs to one shard, by a hash of its choices, with all that descends from
// it.
//
// With reduction an execution is also cut short at a state that one before the cut has come by, although what
// follows from there is divided among the shards: whatever follows was explored by one of them, or was itself
// cut short for something that comes earlier in the order of exploration, which is the same in all.
#include "reex/search/mix.h"
#include "reex/search/search.h"

namespace reex {

// With one preemption at most, nearly all schedules are alternatives of the first.
std::uint32_t Search::cut() const { return m_config.bound <= 1 ? 1 : 2; }

std::uint32_t Search::execution_depth() const {
  const std::uint32_t node = m_state.in_flight[m_own.index].node;
  return node == 0 ? 0 : m_store.node[node].execution_depth;
}

bool Search::counts() const {
  return m_config.shards == 1 || m_sampler != nullptr || m_config.shard == 0 || execution_depth() >= cut();
}

// Whether an alternative of the execution under way is explored here. Cost, at the cut: its choices.
bool Search::is_ours(const Candidates& candidates, unsigned rank) const {
  if (m_config.shards == 1 || execution_depth() + 1 != cut()) return true;
  std::uint64_t path = mix(std::uint64_t{m_run.point} << 32 | candidates.thread[rank]);
  for (std::uint32_t node = m_run.tail; node != 0; node = m_store.node[node].parent)
    path = mix(path ^ (std::uint64_t{m_store.node[node].point} << 32 | m_store.node[node].thread));
  return path % m_config.shards == m_config.shard;
}

SchedulePosition Search::position() const {
  if (m_sampler != nullptr)
    return {.iteration = 0, .level = 0, .planned = 0, .shuffled = 0, .sample = m_own.sampling.executions};
  const std::uint32_t node = m_state.in_flight[m_own.index].node;
  return {.iteration = m_state.iteration,
          .level = m_state.level,
          .planned = m_run.plan_count,
          .shuffled = node == 0 || m_config.seed == 0 ? 0 : shuffled(m_store.node[node]),
          .sample = 0};
}

} // namespace reex
