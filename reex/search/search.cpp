#include "reex/search/search.h"

#include <algorithm>

#include "heuristics/partition.h"
#include "reex/search/mix.h"
#include "reex/search/sampling.h"

namespace reex {
namespace {

constexpr std::uint32_t k_next_iteration = 0x80000000;

} // namespace

// ---- the order
// ----------------------------------------------------------------------------------------------

std::uint32_t Search::level_of(const Node& node) const {
  if (m_config.strategy != SearchStrategy::icb) return 0;
  return std::min<std::uint32_t>(node.preemptions, k_max_level - 1);
}

// Depth-first order of two schedules of the frontier. Zero ranks are not stored: where one schedule has a
// choice before the other's, the other has rank 0 there and comes first.
bool Search::before(std::uint32_t a, std::uint32_t b) const {
  const Node* node = m_store.node;
  if (m_config.seed != 0 && shuffled(node[a]) != shuffled(node[b]))
    return shuffled(node[a]) < shuffled(node[b]);
  const std::uint16_t depth_a = node[a].depth;
  const std::uint16_t depth_b = node[b].depth;
  while (node[a].depth > node[b].depth) a = node[a].parent;
  while (node[b].depth > node[a].depth) b = node[b].parent;
  if (a == b) return depth_a < depth_b;
  while (node[a].parent != node[b].parent) {
    a = node[a].parent;
    b = node[b].parent;
  }
  if (node[a].point != node[b].point) return node[a].point > node[b].point;
  return node[a].rank < node[b].rank;
}

// Where the node stands in its bucket under a seed.
std::uint64_t Search::shuffled(const Node& node) const {
  return mix(m_config.seed ^ mix(std::uint64_t{node.hash} << 32 | node.point) ^ node.thread);
}

// The ranks in the order they are taken in: as they are, or shuffled under a seed, but for the current thread
// where leaving it costs a preemption.
void Search::order(const Candidates& candidates, unsigned count, std::uint16_t* ranks) const {
  for (unsigned i = 0; i < count; ++i) ranks[i] = static_cast<std::uint16_t>(i);
  if (m_config.seed == 0) return;
  const unsigned first = cost(candidates, 1);
  std::uint64_t random = mix(m_config.seed ^ mix(std::uint64_t{candidates.hash} << 32 | m_run.point));
  for (unsigned i = count - 1; i > first; --i) {
    random = mix(random);
    std::swap(ranks[i], ranks[first + random % (i - first + 1)]);
  }
}

// A bucket fills while earlier ones are explored, in no useful order; it is sorted when its turn comes. What
// is linked to it from then on descends from the schedule just taken and so stands before all that is left.
void Search::sort_bucket(std::uint32_t level) {
  std::uint32_t& head = m_state.head[m_state.current][level];
  std::uint32_t count = 0;
  for (std::uint32_t node = head; node != 0; node = m_store.node[node].next) m_store.order[count++] = node;
  std::sort(m_store.order, m_store.order + count,
            [this](std::uint32_t a, std::uint32_t b) { return before(b, a); });
  head = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    m_store.node[m_store.order[i]].next = head;
    head = m_store.order[i];
  }
}

void Search::link(std::uint32_t node, bool next_iteration) {
  const std::uint32_t which = m_state.current ^ (next_iteration ? 1u : 0u);
  const std::uint32_t level = level_of(m_store.node[node]);
  m_store.node[node].next = m_state.head[which][level];
  m_state.head[which][level] = node;
  m_state.top_level[which] = std::max(m_state.top_level[which], level);
  ++m_state.pending;
}

bool Search::next() {
  if (m_sampler != nullptr) {
    ++m_state.sampling.executions;
    begin_sample();
    return true;
  }
  if (!m_state.started) {
    m_state.started = true;
    m_state.in_flight = 0;
    ++m_state.executions;
    ready(0);
    return true;
  }
  for (;;) {
    if (const std::uint32_t node = m_state.head[m_state.current][m_state.level]; node != 0) {
      m_state.head[m_state.current][m_state.level] = m_store.node[node].next;
      --m_state.pending;
      m_state.in_flight = node;
      ++m_state.executions;
      ready(node);
      return true;
    }
    if (m_state.level < m_state.top_level[m_state.current]) {
      ++m_state.level;
    } else if (m_state.pending != 0) { // Figure 4.2, line 28
      m_state.top_level[m_state.current] = 0;
      m_state.current ^= 1;
      ++m_state.iteration;
      m_state.level = 0;
    } else {
      return false;
    }
    sort_bucket(m_state.level);
  }
}

void Search::again() {
  if (m_sampler != nullptr) {
    begin_sample();
    return;
  }
  for (std::uint32_t i = 0; i < m_run.fresh_count; ++i) release(m_store.fresh[i] & ~k_next_iteration);
  if (m_run.tail_is_own) release(m_run.tail);
  ready(m_state.in_flight);
}

void Search::ready(std::uint32_t node) {
  m_run = {};
  m_run.learning = true;
  m_run.tail = node;
  if (node == 0) return;
  m_run.plan_count = m_store.node[node].depth;
  m_run.plan_hash = m_store.node[node].hash;
  m_run.check_hash = true;
  for (std::uint32_t i = m_run.plan_count; node != 0; node = m_store.node[node].parent) {
    const Node& from = m_store.node[node];
    m_decisions[--i] = {from.point, from.step, from.thread, from.rank, from.kind};
  }
}

bool Search::start_over() {
  if (m_sampler != nullptr) {
    m_state.sampling.profile.forget();
    return false;
  }
  for (std::uint32_t which = 0; which < 2; ++which)
    std::fill_n(m_state.head[which], m_state.top_level[which] + 1, 0);
  m_run = {};
  m_state.started = m_state.bound_pruned = m_state.overflow = false;
  m_state.iteration = m_state.level = m_state.current = 0;
  m_state.top_level[0] = m_state.top_level[1] = 0;
  m_state.nodes_used = 1;
  m_state.free_list = m_state.in_flight = 0;
  m_state.pending = 0;
  m_state.most_preemptions = 0;
  forget_seen(m_state.seen, m_store.seen);
  return true;
}

bool Search::reached_before(StateKey key) {
  if (!learning() || m_run.decision_count < m_run.plan_count) return false;
  key.b += m_state.iteration * 0x9e3779b97f4a7c15;
  return reex::reached_before(m_state.seen, m_store.seen, key, m_state.executions, m_run.preemptions);
}

void Search::replay(std::uint32_t count) {
  m_run = {};
  m_run.plan_count = count;
}

// ---- a choice
// -----------------------------------------------------------------------------------------------

std::uint32_t Search::cost(const Candidates& candidates, unsigned rank) const {
  return candidates.kind == ChoiceKind::run && candidates.current_first && !candidates.leaving_is_free &&
         rank != 0;
}

// Every rank but 0 is written down: the decisions are the schedule. A plan also names rank 0, where another
// was forced.
void Search::take(const Candidates& candidates, unsigned rank, bool is_planned) {
  m_run.preemptions += cost(candidates, rank);
  if ((rank == 0 && !is_planned) || m_run.decision_count >= k_max_decisions) return;
  m_decisions[m_run.decision_count++] = {m_run.point, candidates.step, candidates.thread[rank],
                                         static_cast<std::uint8_t>(rank), candidates.kind};
}

unsigned Search::choose(const Candidates& candidates) {
  unsigned rank = 0;
  const bool in_plan = m_run.decision_count < m_run.plan_count;
  const bool is_planned = in_plan && m_decisions[m_run.decision_count].point == m_run.point;
  if (in_plan)
    rank = planned(candidates);
  else if (m_sampler != nullptr && m_run.learning)
    rank = sample(candidates);
  else if (m_run.learning)
    rank = expand(candidates);
  if (rank == k_diverged) return rank;
  take(candidates, rank, is_planned);
  ++m_run.point;
  return rank;
}

unsigned Search::planned(const Candidates& candidates) {
  const Choice& choice = m_decisions[m_run.decision_count];
  if (choice.point > m_run.point) return 0;
  if (choice.point < m_run.point || choice.kind != candidates.kind) return k_diverged;
  const bool last = m_run.decision_count + 1 == m_run.plan_count;
  if (m_run.check_hash && last && candidates.hash != m_run.plan_hash) return k_diverged;
  for (unsigned rank = 0; rank < candidates.count; ++rank)
    if (candidates.thread[rank] == choice.thread) return rank;
  return k_diverged;
}

// Figure 4.2, lines 22-25: beyond the prefix, the alternatives of a choice join toExplore or nextToExplore,
// and the execution goes on with the first of those kept.
unsigned Search::expand(const Candidates& candidates) {
  bool keep[k_max_candidates];
  keep[0] = true;
  unsigned count = candidates.count; // line 23: alternatives beyond the bound are out
  if (m_run.preemptions >= m_config.bound && cost(candidates, 1) != 0) {
    m_state.bound_pruned = true;
    count = 1;
  }
  if (candidates.kind == ChoiceKind::run)
    partition_prioritized(m_config.mode, m_config.mask, candidates.bits, count, candidates.current_first,
                          keep);
  else
    std::fill(keep, keep + count, true);

  std::uint16_t ranks[k_max_candidates];
  order(candidates, count, ranks);
  const unsigned go_on = *std::find_if(ranks, ranks + count, [&](std::uint16_t rank) { return keep[rank]; });
  for (unsigned i = count; i-- > 0;) { // last first: the bucket is a stack
    const unsigned rank = ranks[i];
    if (rank == go_on) continue;
    if (m_run.fresh_count >= k_max_fresh) {
      m_state.overflow = true;
      break;
    }
    const std::uint32_t node = make_node(candidates, rank);
    if (node == 0) break;
    m_store.fresh[m_run.fresh_count++] = node | (keep[rank] ? 0 : k_next_iteration);
  }
  if (go_on != 0) { // a forced switch is part of the path of all that follows
    const std::uint32_t node = make_node(candidates, go_on);
    if (m_run.tail_is_own) release(m_run.tail);
    m_run.tail = node;
    m_run.tail_is_own = node != 0;
  }
  return go_on;
}

// ---- nodes
// --------------------------------------------------------------------------------------------------

std::uint32_t Search::make_node(const Candidates& candidates, unsigned rank) {
  std::uint32_t node = m_state.free_list;
  if (node != 0) {
    m_state.free_list = m_store.node[node].next;
  } else if (m_state.nodes_used < k_max_nodes) {
    node = m_state.nodes_used++;
  } else {
    m_state.overflow = true;
    return 0;
  }
  const std::uint32_t parent = m_run.tail;
  const std::uint32_t depth = parent == 0 ? 1 : m_store.node[parent].depth + 1u;
  if (depth >= 0xffff) m_state.overflow = true;
  if (parent != 0) ++m_store.node[parent].references;
  m_store.node[node] = {.parent = parent,
                        .next = 0,
                        .point = m_run.point,
                        .step = candidates.step,
                        .references = 1,
                        .hash = candidates.hash,
                        .preemptions = static_cast<std::uint16_t>(
                            std::min<std::uint32_t>(m_run.preemptions + cost(candidates, rank), 0xffff)),
                        .depth = static_cast<std::uint16_t>(depth),
                        .thread = candidates.thread[rank],
                        .rank = static_cast<std::uint8_t>(rank),
                        .kind = candidates.kind};
  return node;
}

void Search::release(std::uint32_t node) {
  while (node != 0 && --m_store.node[node].references == 0) {
    const std::uint32_t parent = m_store.node[node].parent;
    m_store.node[node].next = m_state.free_list;
    m_state.free_list = node;
    node = parent;
  }
}

void Search::commit() {
  if (!m_run.learning) return; // a replay
  if (m_sampler != nullptr) end_sample();
  for (std::uint32_t i = 0; i < m_run.fresh_count; ++i)
    link(m_store.fresh[i] & ~k_next_iteration, (m_store.fresh[i] & k_next_iteration) != 0);
  m_run.fresh_count = 0;
  m_state.most_preemptions = std::max(m_state.most_preemptions, m_run.preemptions);
  if (m_run.tail_is_own) release(m_run.tail);
  m_run.tail_is_own = false;
  if (m_state.in_flight != 0) release(m_state.in_flight);
  m_state.in_flight = 0;
  m_run.learning = false;
}

// ---- what is done
// -------------------------------------------------------------------------------------------

bool Search::exhausted() const {
  return m_sampler == nullptr && m_state.started && m_state.pending == 0 && !m_run.learning &&
         !m_state.bound_pruned && !m_state.overflow;
}

std::int64_t Search::bound_completed() const {
  if (m_sampler != nullptr || !m_state.started || m_state.overflow) return -1;
  std::int64_t least = -1; // fewest preemptions of what is left
  const auto left = [&least](std::uint32_t preemptions) {
    if (least < 0 || preemptions < least) least = preemptions;
  };
  if (m_run.learning) left(m_state.in_flight == 0 ? 0 : m_store.node[m_state.in_flight].preemptions);
  for (std::uint32_t which = 0; which < 2; ++which)
    for (std::uint32_t level = 0; level <= m_state.top_level[which]; ++level)
      for (std::uint32_t node = m_state.head[which][level]; node != 0; node = m_store.node[node].next)
        left(m_store.node[node].preemptions);
  if (least >= 0) return least - 1;
  return m_config.bound != k_no_bound ? m_config.bound : m_state.most_preemptions;
}

} // namespace reex
