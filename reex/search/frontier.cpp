// The frontier: the schedules that wait for their execution, as nodes in buckets by CAPP iteration and
// preemptions.
#include <algorithm>

#include "reex/search/search.h"

namespace reex {

// It waits until the search deepens.
bool Search::is_for_later(std::uint32_t node) const {
  return m_config.deepens && m_store.node[node].preemptions > m_state.bound;
}

void Search::link(std::uint32_t node, std::uint32_t flags) {
  const bool for_audit = (flags & k_for_audit) != 0;
  if ((m_store.node[node].rules & m_state.rules) == 0) { // only rules kept it that were dropped since
    m_store.node[node].rules = m_state.rules & 15;
    if (!for_audit) flags |= k_next_iteration;
  }
  const bool later = !for_audit && is_for_later(node);
  const std::uint32_t next = (flags & k_next_iteration) != 0 ? 1 : 0;
  const std::uint32_t which = for_audit ? k_audit_row : later ? k_later_rows + next : m_state.current ^ next;
  const std::uint32_t level = level_of(m_store.node[node].preemptions);
  save(m_state.head[which][level]);
  m_store.node[node].next = m_state.head[which][level];
  m_state.head[which][level] = node;
  m_state.top_level[which] = std::max(m_state.top_level[which], level);
  if (for_audit) {
    ++m_state.audit.waiting;
    return;
  }
  ++m_state.pending;
  m_state.later += later;
  estimate_pending(m_state.estimate, m_store.node[node].preemptions, 1);
}

// Removes the first schedule of the current bucket and returns it. Schedules that are superseded or beyond
// the limit are dropped. 0: the bucket is empty, or the undo log is long.
std::uint32_t Search::lowest_left() {
  std::uint32_t& head = m_state.head[m_state.current][m_state.level];
  while (head != 0 && !m_undo_log.is_long()) {
    const std::uint32_t node = head;
    save(head);
    head = m_store.node[node].next;
    --m_state.pending;
    estimate_pending(m_state.estimate, m_store.node[node].preemptions, -1);
    if (is_superseded(node)) {
      if (!keep_for_audit(node)) release(node);
      continue;
    }
    if (comes_before_limit(node)) return node;
    const std::uint32_t preemptions = m_store.node[node].preemptions;
    m_state.least_dropped = m_state.dropped ? std::min(m_state.least_dropped, preemptions) : preemptions;
    m_state.dropped = true;
    retire(node);
  }
  return 0;
}

bool Search::iterations_are_done() const {
  return m_config.iterations != 0 && m_state.iteration + 1 >= m_config.iterations &&
         m_state.level >= m_state.top_level[m_state.current];
}

// Goes to the next preemption level or CAPP iteration. There are schedules in the frontier, and no retained
// nodes.
void Search::advance_level() {
  ++m_state.phase;
  m_state.before_phase = m_state.of_frontier;
  if (m_state.pending == m_state.later) {
    deepen();
  } else if (m_state.level < m_state.top_level[m_state.current]) {
    ++m_state.level;
  } else { // Figure 4.2, line 28
    m_state.top_level[m_state.current] = 0;
    m_state.current ^= 1;
    ++m_state.iteration;
    m_state.level = 0;
  }
  sort_bucket(m_state.current, m_state.level);
}

// All that is left is beyond the bound: goes on with the next bound. Under CAPP, its iterations are new ones.
bool Search::is_settled() const { return m_state.settled.load() && m_state.pending == m_state.later; }

void Search::deepen() {
  ++m_state.bound;
  ++m_state.deepened;
  if (!m_config.prioritization.is_basic()) m_state.first_iteration = ++m_state.iteration;
  m_state.level = level_of(m_state.bound);
  for (const std::uint32_t next : {0u, 1u}) {
    std::uint32_t& from = m_state.head[k_later_rows + next][m_state.level];
    std::uint32_t& to = m_state.head[m_state.current ^ next][m_state.level];
    save(from);
    save(to);
    for (std::uint32_t node = from; node != 0; node = m_store.node[node].next) --m_state.later;
    to = from;
    from = 0;
    m_state.top_level[m_state.current ^ next] = m_state.level;
  }
}

// Releases nodes that were retained in the phase that ends, until the undo log is long.
void Search::release_retained() {
  while (m_state.retained != 0 && !m_undo_log.is_long()) {
    const std::uint32_t node = m_state.retained;
    m_state.retained = m_store.node[node].next;
    release(node);
  }
}

void Search::drop_frontier() {
  if (!has_frontier()) return;
  m_state.overflow = true; // a run that is killed here claims nothing; start_over() resets it
  for (std::uint32_t which = 0; which < k_bucket_rows; ++which)
    for (std::uint32_t level = 0; level <= m_state.top_level[which]; ++level)
      for (std::uint32_t& head = m_state.head[which][level]; head != 0;) {
        const Transaction some(m_undo_log);
        save(head);
        std::uint64_t& left = which == k_audit_row ? m_state.audit.waiting : m_state.pending;
        save(left);
        while (head != 0 && !m_undo_log.is_long()) {
          const std::uint32_t node = head;
          head = m_store.node[node].next;
          --left;
          release(node);
        }
      }
  while (m_state.retained != 0) {
    const Transaction some(m_undo_log);
    save(m_state.retained);
    release_retained();
  }
}

// Releases an executed node. With several workers, the table of seen steps still names the node, and workers
// compare its order. So it is released when the preemption level ends.
void Search::retire(std::uint32_t node) {
  if (m_own.workers == 1) {
    release(node);
    return;
  }
  save(m_store.node[node].next); // it may still be the head of a bucket, if this is undone
  m_store.node[node].next = m_state.retained;
  m_state.retained = node;
}

std::uint32_t Search::unused_node() {
  constexpr std::uint32_t k_block = 64;
  if (const std::uint32_t node = m_own.free_list; node != 0) {
    m_own.free_list = m_store.node[node].next;
    in_order();
    return node;
  }
  if (m_own.unused == m_own.unused_end) {
    const std::uint32_t first = m_state.nodes_used.fetch_add(k_block, std::memory_order_relaxed);
    if (first >= k_max_nodes - k_block) {
      m_state.nodes_used.store(k_max_nodes - k_block);
      m_state.overflow = m_run.is_full = true;
      return 0;
    }
    m_own.unused = first;
    m_own.unused_end = first + k_block;
  }
  return m_own.unused++;
}

std::uint32_t Search::make_node(const Candidates& candidates, unsigned rank) {
  const std::uint32_t parent = m_run.tail;
  const std::uint32_t depth = parent == 0 ? 1 : m_store.node[parent].depth + 1u;
  if (depth > k_max_depth_of_nodes) {
    m_state.overflow = m_run.is_full = true;
    return 0;
  }
  const std::uint32_t node = unused_node();
  if (node == 0) return 0;
  if (parent != 0) hold(parent);
  m_store.node[node] = {.parent = parent,
                        .next = 0,
                        .point = m_run.point,
                        .step = candidates.step,
                        .references = 1,
                        .hash = candidates.hash,
                        .preemptions = m_run.preemptions + cost(candidates, rank),
                        .depth = depth,
                        .thread = candidates.thread[rank] & 0x7fffu,
                        .rank = rank & 0x3ffu,
                        .kind = {},
                        .execution_depth = {},
                        .is_followed = false,
                        .is_cut = false,
                        .is_separate = false,
                        .rules = {},
                        .instead_of =
                            candidates.kind == ChoiceKind::run && candidates.steps != nullptr && m_keep[0]
                                ? candidates.thread[0]
                                : k_no_thread,
                        .taken = {},
                        .reached = {}};
  m_store.node[node].kind = candidates.kind;
  m_store.node[node].rules = m_state.rules & 15;
  m_store.node[node].execution_depth = std::min(execution_depth() + 1, cut()) & 15;
  in_order();
  return node;
}

void Search::hold(std::uint32_t node) {
  std::uint32_t& references = m_store.node[node].references;
  if (has_company())
    __atomic_fetch_add(&references, 1, __ATOMIC_RELAXED);
  else
    ++references;
}

void Search::release(std::uint32_t node) {
  while (node != 0) {
    std::uint32_t& references = m_store.node[node].references;
    m_undo_log.save_decrement(m_store.undo_log, references);
    in_order();
    const std::uint32_t left =
        has_company() ? __atomic_sub_fetch(&references, 1, __ATOMIC_ACQ_REL) : --references;
    if (left != 0) return;
    const std::uint32_t parent = m_store.node[node].parent;
    save(m_store.node[node].next);
    save(m_own.free_list);
    m_store.node[node].next = m_own.free_list;
    in_order();
    m_own.free_list = node;
    node = parent;
  }
}

// Drops the alternatives of an execution that was thrown away.
void Search::drop_fresh() {
  while (m_run.fresh_count != 0) {
    const std::uint32_t node = m_fresh[m_run.fresh_count - 1] & k_node_bits;
    --m_run.fresh_count;
    in_order();
    m_own.round == m_state.round ? retire(node) : release(node);
  }
  if (!m_run.tail_is_own) return;
  m_run.tail_is_own = false;
  in_order();
  release(m_run.tail);
}

} // namespace reex
