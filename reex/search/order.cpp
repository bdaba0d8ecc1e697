// The order of exploration: which of two schedules comes first, and which thread at a choice.
#include <algorithm>

#include "reex/search/mix.h"
#include "reex/search/search.h"

namespace reex {

std::uint32_t Search::level_of(std::uint32_t preemptions) const {
  if (m_config.strategy == SearchStrategy::dfs) return 0;
  return std::min<std::uint32_t>(preemptions, k_max_level - 1);
}

// Depth-first order of two schedules. Rank 0 is not stored: where one schedule has a choice before the
// other's next one, the other has rank 0 there and comes first.
bool Search::before(std::uint32_t a, std::uint32_t b) const {
  const Node* node = m_store.node;
  if (m_config.seed != 0 && shuffled(node[a]) != shuffled(node[b]))
    return shuffled(node[a]) < shuffled(node[b]);
  const std::uint32_t depth_a = node[a].depth;
  const std::uint32_t depth_b = node[b].depth;
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

// With a seed: the node's place in its bucket.
std::uint64_t Search::shuffled(const Node& node) const {
  return shuffled(node.hash, node.point, node.thread);
}

std::uint64_t Search::shuffled(std::uint32_t hash, std::uint32_t point, std::uint32_t thread) const {
  return mix(m_config.seed ^ mix(std::uint64_t{hash} << 32 | point) ^ thread);
}

// Writes the ranks in the order in which they are taken: ascending, or shuffled under a seed. A current
// thread that costs a preemption to leave stays first.
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

// Sorts a bucket when its turn comes. Before that it fills in no useful order, while earlier buckets are
// explored. Nodes that join it later descend from the schedule that was taken last, so they come before all
// that is left.
void Search::sort_bucket(std::uint32_t side, std::uint32_t level) {
  std::uint32_t count = 0;
  for (std::uint32_t node = m_state.head[side][level]; node != 0; node = m_store.node[node].next) {
    const std::uint64_t place = m_config.seed != 0 ? shuffled(m_store.node[node]) : 0;
    m_store.order[count++] = {static_cast<std::uint32_t>(place >> 32), node};
  }
  std::sort(m_store.order, m_store.order + count, [this](const Sorted& a, const Sorted& b) {
    return a.key != b.key ? b.key < a.key : before(b.node, a.node);
  });
  m_state.sorted_side = side;
  m_state.sorted_level = level;
  in_order();
  m_state.sorting = count;
  write_order();
}

void Search::write_order() {
  if (m_state.sorting == 0) return;
  in_order();
  std::uint32_t head = 0;
  for (std::uint32_t i = 0; i < m_state.sorting; ++i) {
    m_store.node[m_store.order[i].node].next = head;
    head = m_store.order[i].node;
  }
  m_state.head[m_state.sorted_side][m_state.sorted_level] = head;
  in_order();
  m_state.sorting = 0;
}

} // namespace reex
