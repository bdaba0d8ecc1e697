// Which alternatives and schedules are left out, because another schedule explores them at no greater cost
// (docs/semantics.md, "Reduction").
#include <algorithm>

#include "reex/search/search.h"

namespace reex {

// The iteration in which what is found now is executed, over all bounds that were deepened to: each begins
// with iterations of its own. `later`: not before the next bound. Numbers too high for the table are one.
std::uint32_t Search::iteration_of(bool next_iteration, bool later) const {
  constexpr std::uint32_t k_most = 1u << 8; // for each bound
  static_assert(k_most * k_most == k_most_iterations);
  if (m_config.prioritization.is_basic()) return 0;
  const std::uint32_t bound = std::min(m_state.deepened + (later ? 1u : 0u), k_most - 1);
  const std::uint32_t first = later ? m_state.iteration : m_state.first_iteration;
  return bound * k_most + std::min(m_state.iteration - first + (next_iteration ? 1u : 0u), k_most - 1);
}

// The state's entry, and those of the steps of the first threads.
void Search::fetch_ahead(StateKey key) const {
  if (key.a == 0) return;
  reex::fetch_ahead(m_state.seen, m_store.seen, key);
  reex::fetch_ahead(m_state.seen, m_store.seen, {key.a, key.b ^ 2});
}

// The next schedule will be looked at, with its keys and the nodes before it, and all this is scattered in
// memory. So it is fetched while this schedule is executed: one node at each choice, so that none is waited
// for.
void Search::look_ahead() {
  if (m_ahead == 0) return;
  const Node& node = m_store.node[m_ahead];
  if (m_ahead == m_next) {
    m_next = 0;
    for (const StateKey& key : {node.taken, node.reached})
      if (key.a != 0) reex::fetch_ahead(m_state.seen, m_store.seen, key);
  }
  m_ahead = node.parent;
  fetch_node(m_ahead);
}

void Search::fetch_node(std::uint32_t node) const { // it may lie across two lines of the cache
  const auto* const at = reinterpret_cast<const char*>(&m_store.node[node]);
  __builtin_prefetch(at);
  __builtin_prefetch(at + sizeof(Node) - 1);
}

// The schedule `node`, executed at preemption level `level` in this iteration, is about to take the step.
LookUp Search::look_up(StateKey key, std::uint32_t node, std::uint32_t preemptions, std::uint32_t level,
                       std::uint32_t iteration) {
  const Locked locked(m_state.seen_lock, m_own.index, has_company());
  if (is_outdated()) return LookUp::later;
  const Visitor visitor{m_run.execution, node, preemptions, level, iteration, iteration_of(false, false)};
  return reex::look_up(m_state.seen, m_store.seen, key, visitor,
                       [&](const SeenEntry& other) { return is_earlier(other, node, level); });
}

// The execution under way is about to take the step.
LookUp Search::look_up(StateKey key, std::uint32_t preemptions) {
  return look_up(key, m_state.in_flight[m_own.index].node, preemptions, m_state.level,
                 iteration_of(false, false));
}

// Whether the entry's schedule comes before `node`, of the same iteration, in the order of exploration.
bool Search::is_earlier(const SeenEntry& other, std::uint32_t node, std::uint32_t level) const {
  if (m_own.workers == 1) return true;
  if (other.level != level) return other.level < level;
  return node != other.node && before(other.node, node);
}

const SeenEntry* Search::find(StateKey key) const {
  if (key.a == 0 || is_outdated()) return nullptr;
  return find_seen(m_state.seen, m_store.seen, key);
}

bool Search::is_within_bound(const Step& step) {
  const Locked locked(m_state.seen_lock, m_own.index, has_company());
  return find(step.taken) != nullptr || find(step.reached) != nullptr;
}

// Rule 4: an execution has been in the state that the node's last step leads to, with fewer preemptions, or
// with as many where leaving the running thread was free. `iteration`: in which the node is executed.
bool Search::is_dominated(std::uint32_t number, std::uint32_t iteration) {
  const Node& node = m_store.node[number];
  const Locked locked(m_state.seen_lock, m_own.index, has_company());
  const SeenEntry* entry = find(node.reached);
  if (entry == nullptr || entry->preemptions > 2 * std::uint32_t{node.preemptions}) return false;
  return entry->iteration < iteration ||
         (entry->iteration == iteration && is_earlier(*entry, number, level_of(node.preemptions)));
}

void Search::reached(StateKey state, bool leaving_costs) {
  if (state.a == 0 || !is_beyond_plan()) return;
  look_up(state, 2 * m_run.preemptions + (leaving_costs ? 1 : 0));
}

// Rule 2: since the node joined the frontier, another schedule has taken over the entry of its last step. Or
// rule 4 applies by now.
bool Search::is_superseded(std::uint32_t number) {
  const Node& node = m_store.node[number];
  const std::uint32_t iteration = iteration_of(false, false);
  {
    const Locked locked(m_state.seen_lock, m_own.index, has_company());
    const auto is_others = [&](const SeenEntry* entry) { return entry != nullptr && entry->node != number; };
    const SeenEntry* entry = find(node.taken);
    if (!node.is_separate && is_others(entry)) return true;
    if (node.is_separate && is_others(entry) && entry->iteration <= iteration &&
        entry->preemptions <= node.preemptions)
      return true;
    if (node.is_separate && is_others(find(separate(node.taken, iteration)))) return true;
  }
  return is_dominated(number, iteration);
}

bool Search::is_known(StateKey taken) {
  if (!is_beyond_plan() || look_up(taken, m_run.preemptions) != LookUp::before) return false;
  leave_out_rest();
  return true;
}

// Rule 3: removes from the `count` ranks the one with which the execution continues, and the ranks before it
// that other schedules explore. Under icb, the execution continues only at the cost of the first rank that is
// kept.
unsigned Search::take_next(const Candidates& candidates, const bool* keep, std::uint16_t* ranks,
                           unsigned& count) {
  const std::uint16_t* end = ranks + count;
  const std::uint32_t least =
      cost(candidates, *std::find_if(ranks, ranks + count, [&](std::uint16_t rank) { return keep[rank]; }));
  unsigned next = k_pruned;
  unsigned known = k_pruned; // one not counted yet: if all ranks are known, the execution is its leaf
  count = 0;
  for (const std::uint16_t* rank = ranks; rank != end; ++rank) {
    const std::uint32_t own_cost = cost(candidates, *rank);
    if (next != k_pruned || !keep[*rank] || (m_config.strategy != SearchStrategy::dfs && own_cost != least)) {
      ranks[count++] = *rank;
    } else if (candidates.steps == nullptr ||
               look_up(candidates.steps[*rank].taken, m_run.preemptions + own_cost) != LookUp::before) {
      next = *rank;
    } else {
      if (known != k_pruned) count_known(candidates, known);
      known = *rank;
      leave_out(candidates, known, m_config.audit);
    }
  }
  if (next != k_pruned && known != k_pruned) count_known(candidates, known);
  return next;
}

void Search::count_known(const Candidates& candidates, unsigned rank) {
  estimate_known(m_state.estimate, m_run.path, m_config.bound, m_run.preemptions,
                 {candidates.count, cost(candidates, 1) != 0, rank != 0});
}

// False: the node does not join the frontier, because its last step (rule 1) or all that can follow it (rule
// 4) is explored elsewhere.
bool Search::join(std::uint32_t number, const Step& step, bool next_iteration) {
  Node& node = m_store.node[number];
  const std::uint32_t iteration = iteration_of(next_iteration, is_for_later(number));
  node.reached = step.reached;
  if (is_dominated(number, iteration)) return false;
  const LookUp found = look_up(step.taken, number, node.preemptions, level_of(node.preemptions), iteration);
  node.is_separate = found == LookUp::separate;
  if (found == LookUp::first || found == LookUp::separate) node.taken = step.taken;
  return found != LookUp::before;
}

} // namespace reex
