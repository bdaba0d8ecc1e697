// Which alternatives and schedules are left out, because another schedule explores them at no greater cost
// (docs/semantics.md, "Reduction").
#include <algorithm>

#include "reex/search/search.h"

namespace reex {

// The key within a CAPP iteration.
StateKey Search::key_of(StateKey key, bool next_iteration) const {
  const std::uint64_t iteration = m_state.iteration + (next_iteration ? 1u : 0u);
  return {key.a, key.b + iteration * 0x9e3779b97f4a7c15};
}

// The state's entry, and those of the steps of the first threads.
void Search::fetch_ahead(StateKey key) const {
  if (key.a == 0) return;
  const StateKey state = key_of(key, false);
  reex::fetch_ahead(m_state.seen, m_store.seen, state);
  reex::fetch_ahead(m_state.seen, m_store.seen, {state.a, state.b ^ 2});
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

// The schedule `node`, executed at preemption level `level`, is about to take the step.
LookUp Search::look_up(StateKey key, std::uint32_t node, std::uint32_t preemptions, std::uint32_t level) {
  const Locked locked(m_state.seen_lock, m_own.index, has_company());
  if (is_outdated()) return LookUp::later;
  const Visitor visitor{m_run.execution, node, preemptions, level};
  return reex::look_up(m_state.seen, m_store.seen, key, visitor,
                       [&](const SeenEntry& other) { return is_earlier(other, node, level); });
}

// Whether the entry's schedule comes before `node` in the order of exploration.
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
  return find(key_of(step.taken, false)) != nullptr ||
         (step.reached.a != 0 && find(key_of(step.reached, false)) != nullptr);
}

// Rule 4: an execution has been in the state that the node's last step leads to, with fewer preemptions, or
// with as many where leaving the running thread was free.
bool Search::is_dominated(std::uint32_t number) {
  const Node& node = m_store.node[number];
  const Locked locked(m_state.seen_lock, m_own.index, has_company());
  const SeenEntry* entry = find(node.reached);
  return entry != nullptr && entry->preemptions <= 2 * std::uint32_t{node.preemptions} &&
         is_earlier(*entry, number, level_of(node.preemptions));
}

void Search::reached(StateKey state, bool leaving_costs) {
  if (state.a == 0 || !is_beyond_plan()) return;
  look_up(key_of(state, false), m_state.in_flight[m_own.index].node,
          2 * m_run.preemptions + (leaving_costs ? 1 : 0), m_state.level);
}

// Rule 2: since the node joined the frontier, another schedule has taken over the entry of its last step. Or
// rule 4 applies by now.
bool Search::is_superseded(std::uint32_t node) {
  {
    const Locked locked(m_state.seen_lock, m_own.index, has_company());
    const SeenEntry* entry = find(m_store.node[node].taken);
    if (entry != nullptr && entry->node != node) return true;
  }
  return is_dominated(node);
}

bool Search::is_known(StateKey taken) {
  if (!is_beyond_plan() || look_up(key_of(taken, false), m_state.in_flight[m_own.index].node,
                                   m_run.preemptions, m_state.level) != LookUp::before)
    return false;
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
               look_up(key_of(candidates.steps[*rank].taken, false), m_state.in_flight[m_own.index].node,
                       m_run.preemptions + own_cost, m_state.level) != LookUp::before) {
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
  if (step.reached.a != 0) node.reached = key_of(step.reached, next_iteration);
  if (is_dominated(number)) return false;
  node.taken = key_of(step.taken, next_iteration);
  const LookUp found = look_up(node.taken, number, node.preemptions, level_of(node.preemptions));
  if (found != LookUp::first) node.taken = {};
  return found != LookUp::before;
}

} // namespace reex
