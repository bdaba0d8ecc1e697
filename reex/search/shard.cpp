// Shards: N searches that do not communicate, and exactly one of them counts each schedule.
//
// The first execution has execution_depth 0. An execution that takes an alternative of another has that one's
// execution_depth plus one. All shards make the executions before the cut, and the first shard counts them. A
// hash of the choices of an alternative at the cut says which shard owns it, together with all that descends
// from it.
//
// With reduction, an execution may be cut short at a state that an execution before the cut has been in,
// although the shards divide what follows from there. Nothing is lost: one of them explores each schedule
// that follows, or cuts it short because of something that comes earlier in the order of exploration, and
// this order is the same in all shards.
#include "reex/search/mix.h"
#include "reex/search/search.h"

namespace reex {

// With at most one preemption, nearly all schedules are alternatives of the first. Otherwise the parts behind
// two alternatives differ in size by orders of magnitude; those behind three are even enough, and few
// executions come before them.
std::uint32_t Search::cut() const { return m_config.bound <= 1 ? 1 : 3; }

std::uint32_t Search::execution_depth() const {
  const std::uint32_t node = m_state.in_flight[m_own.index].node;
  return node == 0 ? 0 : m_store.node[node].execution_depth;
}

bool Search::counts() const {
  return !m_run.audit &&
         (m_config.shards == 1 || sampler() != nullptr || m_config.shard == 0 || execution_depth() >= cut());
}

// Whether this shard explores an alternative of the execution under way. Cost: at the cut, the number of its
// choices.
bool Search::is_ours(const Candidates& candidates, unsigned rank) const {
  if (m_config.shards == 1 || execution_depth() + 1 != cut()) return true;
  std::uint64_t path = mix(std::uint64_t{m_run.point} << 32 | candidates.thread[rank]);
  for (std::uint32_t node = m_run.tail; node != 0; node = m_store.node[node].parent)
    path = mix(path ^ (std::uint64_t{m_store.node[node].point} << 32 | m_store.node[node].thread));
  return path % m_config.shards == m_config.shard;
}

SchedulePosition Search::position() const {
  if (sampler() != nullptr)
    return {.iteration = 0,
            .level = 0,
            .planned = 0,
            .shuffled = 0,
            .sample = m_own.sampling.executions,
            .turn = 0};
  const std::uint32_t node = m_state.in_flight[m_own.index].node;
  return {.iteration = m_state.iteration,
          .level = m_state.level,
          .planned = node == 0 ? 0 : m_store.node[node].depth,
          .shuffled = node == 0 || m_config.seed == 0 ? 0 : shuffled(m_store.node[node]),
          .sample = 0,
          .turn = 0};
}

} // namespace reex
