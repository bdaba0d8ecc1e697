// The choices of the execution under way: planned, drawn, or the first alternative that CAPP keeps. The other
// alternatives join the frontier.
#include <algorithm>

#include "heuristics/partition.h"
#include "reex/search/search.h"

namespace reex {

void Search::replay(std::uint32_t count) {
  m_run = {};
  m_run.plan_count = count;
}

void Search::plan_next(const Candidates& candidates, unsigned rank) {
  if (m_run.decision_count >= k_max_decisions) return;
  m_decisions[m_run.decision_count] = {m_run.point, candidates.step, candidates.thread[rank],
                                       static_cast<std::uint16_t>(rank), candidates.kind};
  m_run.plan_count = m_run.decision_count + 1;
}

std::uint32_t Search::cost(const Candidates& candidates, unsigned rank) const {
  if (rank == 0 || candidates.rare_is_free) return 0;
  return is_rare(candidates.kind) ||
         (candidates.kind == ChoiceKind::run && candidates.current_first && !candidates.leaving_is_free);
}

// Stores a choice in the decisions, which are the schedule. Only nonzero ranks are stored. The exception is a
// plan, which names rank 0 where a choice was forced.
void Search::take(const Candidates& candidates, unsigned rank, bool is_planned) {
  m_run.preemptions += cost(candidates, rank);
  if (rank == 0 && !is_planned) return;
  if (m_run.decision_count == k_max_decisions) {
    m_state.overflow = true;
    return;
  }
  m_decisions[m_run.decision_count++] = {m_run.point, candidates.step, candidates.thread[rank],
                                         static_cast<std::uint16_t>(rank), candidates.kind};
}

unsigned Search::choose(const Candidates& candidates) {
  look_ahead();
  unsigned rank = 0;
  const bool is_followed = m_run.point < m_run.followed;
  const bool in_plan = m_run.decision_count < m_run.plan_count;
  const bool is_planned = in_plan && m_decisions[m_run.decision_count].point == m_run.point;
  if (is_followed && m_run.point + 1 == m_run.followed && candidates.hash != m_run.followed_hash)
    return k_diverged;
  if (in_plan || is_followed)
    rank = planned(candidates);
  else if (m_run.learning && sampler() != nullptr)
    rank = sample(candidates);
  else if (explores() && !m_run.is_full)
    rank = expand(candidates);
  if (rank == k_diverged) return rank;
  if (explores() && !is_followed)
    estimate_choice(m_state.estimate, m_run.path, m_config.bound, m_run.preemptions,
                    {candidates.count, cost(candidates, 1) != 0, rank != 0 && rank != k_pruned});
  if (rank == k_pruned) return rank;
  take(candidates, rank, is_planned);
  if (!is_followed) m_run.followed_hash = candidates.hash;
  ++m_run.point;
  return rank;
}

unsigned Search::planned(const Candidates& candidates) {
  if (m_run.decision_count == m_run.plan_count) return 0;
  const Choice& choice = m_decisions[m_run.decision_count];
  if (choice.point > m_run.point) return 0;
  if (choice.point < m_run.point || choice.kind != candidates.kind) return k_diverged;
  const bool last = m_run.decision_count + 1 == m_run.plan_count;
  if (m_run.check_hash && last && candidates.hash != m_run.plan_hash) return k_diverged;
  for (unsigned rank = 0; rank < candidates.count; ++rank)
    if (candidates.thread[rank] == choice.thread) return rank;
  return k_diverged;
}

// Figure 4.2, lines 22-25. Beyond the prefix, the alternatives of a choice join toExplore or nextToExplore,
// and the execution continues with the first of those that are kept. An alternative that another schedule
// explores at no greater cost does neither.
unsigned Search::expand(const Candidates& candidates) {
  bool* const keep = m_keep;
  keep[0] = true;
  unsigned count = candidates.count; // line 23: without the alternatives beyond the bound
  const bool is_last = m_run.preemptions >= m_state.bound && cost(candidates, 1) != 0;
  std::uint64_t part = part_to_explore(candidates);
  const bool defers = is_last && m_config.deepens && m_state.later < k_most_later;
  if (is_last && !defers) {
    count = 1;
    for (unsigned rank = 1; rank < candidates.count && !m_state.bound_pruned; ++rank)
      if (is_in(part, candidates, rank) &&
          (candidates.steps == nullptr || !is_within_bound(candidates.steps[rank])))
        m_state.bound_pruned = true;
    if (m_config.deepens && m_state.cut_at == 0) m_state.cut_at = m_state.bound + 1;
  }
  partition(candidates, count);
  if (defers && !keep[0]) { // as if the others were not there: their turn comes at the next bound
    keep[0] = true;
    m_kept_by[0] = m_run.rules;
  }

  std::uint16_t* const ranks = m_ranks;
  order(candidates, count, ranks);
  if (!keep[0]) part = ~std::uint64_t{0}; // CAPP puts the thread of rank 0 off
  count = without_apart(candidates, part, ranks, count);
  const unsigned go_on = take_next(candidates, keep, ranks, count);
  for (unsigned i = count; i-- > 0;) { // last first, because the bucket is a stack
    const unsigned rank = ranks[i];
    if (!is_ours(candidates, rank)) continue;
    const std::uint32_t node = make_node(candidates, rank);
    if (node == 0) break;
    if (keep[rank]) m_store.node[node].rules = m_kept_by[rank] & 15;
    if (candidates.steps != nullptr && !join(node, candidates.steps[rank], !keep[rank])) {
      count_known(candidates, rank);
      release(node);
      leave_out(candidates, rank, m_config.audit);
    } else if (!add_fresh(node, keep[rank] ? 0 : k_next_iteration)) {
      break;
    }
  }
  if (go_on != k_pruned) m_run.rules = m_kept_by[go_on];
  if (go_on != 0 && go_on != k_pruned) { // a forced switch is on the path of all schedules that follow
    const std::uint32_t node = make_node(candidates, go_on);
    const std::uint32_t left = m_run.tail_is_own ? m_run.tail : 0;
    m_run.tail_is_own = false;
    in_order();
    m_run.tail = node;
    in_order();
    m_run.tail_is_own = node != 0;
    release(left);
  }
  return go_on;
}

// partitionPrioritized for each rule by which the search goes. What one of those keeps that have kept all so
// far is kept.
void Search::partition(const Candidates& candidates, unsigned count) {
  const Prioritization& by = m_config.prioritization;
  if (candidates.kind != ChoiceKind::run || by.is_basic()) {
    std::fill(m_keep, m_keep + count, true);
    std::fill(m_kept_by, m_kept_by + count, m_run.rules);
    return;
  }
  std::fill(m_kept_by, m_kept_by + count, std::uint8_t{0});
  for (unsigned i = 0; i < by.count(); ++i) {
    const auto rule = static_cast<std::uint8_t>(1U << i);
    if ((m_state.rules & rule) == 0) continue;
    partition_prioritized(by.rule[i], candidates.bits, count, candidates.current_first, m_keep);
    for (unsigned rank = 0; rank < count; ++rank) {
      if (m_keep[rank])
        m_kept_by[rank] |= rule;
      else
        m_run.put_off |= rule;
    }
  }
  for (unsigned rank = 0; rank < count; ++rank) {
    m_kept_by[rank] &= m_run.rules;
    m_keep[rank] = m_kept_by[rank] != 0;
  }
}

// The first execution has ended. A rule that has put off nothing in it orders nothing, and beside it the
// others would not either. `keeps_idle` is for those who measure what that brings.
void Search::drop_idle_rules() {
  if (m_run.put_off != 0 && !m_config.prioritization.keeps_idle) m_state.rules = m_run.put_off;
}

// False: there is no room.
bool Search::add_fresh(std::uint32_t node, std::uint32_t flags) {
  if (m_run.fresh_count >= k_max_fresh) {
    m_state.overflow = m_run.is_full = true;
    release(node);
    return false;
  }
  m_fresh[m_run.fresh_count] = node | flags;
  in_order();
  ++m_run.fresh_count;
  return true;
}

} // namespace reex
