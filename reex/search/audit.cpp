// The audit of the reduction: audit.h.
#include "reex/search/audit.h"

#include <algorithm>

#include "reex/search/mix.h"
#include "reex/search/search.h"

namespace reex {
namespace {

// Keys of results are none of steps and states: they are mixed once more.
StateKey key_of_state(const ExecutionResult& result) {
  return {mix(result.state.a) | 1, mix(result.state.b ^ 1)};
}

StateKey key_of_outcome(const ExecutionResult& result) {
  constexpr std::uint64_t k_of_no_state = 0x6f7574636f6d65; // apart from the keys of states
  return {mix(result.outcome.a ^ k_of_no_state) | 1, mix(result.outcome.b ^ k_of_no_state)};
}

StateKey key_of_both(const ExecutionResult& result) {
  const std::uint64_t a = mix(mix(result.state.a) ^ result.outcome.a);
  const std::uint64_t b = mix(mix(result.state.b) ^ result.outcome.b);
  constexpr std::uint64_t k_place = 0xffffffff; // beside the state's own entry
  return {a | 1, (b & ~k_place) | ((key_of_state(result).b ^ 1) & k_place)};
}

// Step 1. `number`: of what is left out, from 0; `hash`: of the place where it is.
bool is_drawn(std::uint64_t number, std::uint64_t hash, std::uint64_t one_in) {
  return number < k_first_audits || mix(~hash) % (one_in * (1 + number / k_audited_in_full)) == 0;
}

} // namespace

// The place of the execution under way, where something is left out.
bool Search::is_drawn(std::uint32_t hash, std::uint32_t thread, std::uint64_t one_in) {
  if (m_config.audit == 0) return false;
  return reex::is_drawn(m_state.audit.left_out + m_run.left_out++, shuffled(hash, m_run.point, thread),
                        one_in);
}

// An alternative is left out.
void Search::leave_out(const Candidates& candidates, unsigned rank, std::uint64_t one_in) {
  if (!is_ours(candidates, rank) || !is_drawn(candidates.hash, candidates.thread[rank], one_in)) return;
  if (const std::uint32_t node = make_node(candidates, rank); node != 0) add_fresh(node, k_for_audit);
}

// The execution under way is cut short where it has no choice: the schedule that it follows is its last node.
void Search::leave_out_rest() {
  if (m_run.tail == 0) return;
  const Node& last = m_store.node[m_run.tail];
  if (!is_drawn(last.hash, last.thread, m_config.audit)) return;
  const std::uint32_t node = unused_node();
  if (node == 0) return;
  if (last.parent != 0) hold(last.parent);
  m_store.node[node] = last;
  m_store.node[node].references = 1;
  m_store.node[node].taken = m_store.node[node].reached = {};
  in_order();
  add_fresh(node, k_for_audit);
}

// A schedule that was in the frontier is left out. False: it is not drawn.
bool Search::keep_for_audit(std::uint32_t node) {
  const Node& left = m_store.node[node];
  if (m_config.audit == 0) return false;
  if (!reex::is_drawn(m_state.audit.left_out++, shuffled(left), m_config.audit)) return false;
  save(left.next);
  link(node, k_for_audit);
  return true;
}

bool Search::only_audits_run() const {
  return std::all_of(m_state.in_flight, m_state.in_flight + m_own.workers,
                     [](const InFlight& one) { return !one.active || one.audit || one.sample; });
}

// Step 2. Removes a schedule of the audit whose end must be known by now, and returns it; 0: there is none.
std::uint32_t Search::due_audit() {
  if (m_state.audit.waiting == 0 || is_limited() || !only_audits_run()) return 0;
  const auto is_left = [&](std::uint32_t level) {
    return m_state.head[0][level] != 0 || m_state.head[1][level] != 0 ||
           m_state.head[k_later_rows][level] != 0 || m_state.head[k_later_rows + 1][level] != 0;
  };
  for (std::uint32_t level = 0; level <= m_state.top_level[k_audit_row] && !is_left(level); ++level) {
    std::uint32_t& head = m_state.head[k_audit_row][level];
    if (head == 0) continue;
    const std::uint32_t node = head;
    save(head);
    head = m_store.node[node].next;
    --m_state.audit.waiting;
    return node;
  }
  return 0;
}

bool Search::wants_result() const {
  return learning() && m_config.reduction != Reduction::none && m_config.audit != 0 && !is_refuted();
}

bool Search::agrees(const ExecutionResult& result) {
  if (!wants_result() || is_outdated()) return true;
  const Locked locked(m_state.seen_lock, m_own.index, has_company());
  if (m_state.audit.layout == 0 || m_state.audit.layout != result.layout) {
    save(m_state.audit);
    m_state.audit.blind = m_state.audit.blind || m_state.audit.layout != 0;
    m_state.audit.layout = result.layout;
  }
  if (m_run.audit) return !contradicts(result);
  remember_result(result);
  return true;
}

void Search::remember_result(const ExecutionResult& result) {
  if (result.state.a == 0) {
    save(m_state.audit);
    m_state.audit.blind = true;
    return;
  }
  // Of both, if it has spun, too: one that is equivalent may not have.
  const StateKey keys[] = {key_of_state(result), key_of_outcome(result), key_of_both(result)};
  for (const StateKey& key : keys) reex::fetch_ahead(m_state.seen, m_store.seen, key);
  for (const StateKey& key : keys) remember_result(key);
}

void Search::remember_result(StateKey key) {
  const Visitor visitor{m_run.execution, 0, m_run.preemptions, m_state.level, 0, 0};
  SeenEntry* entry = find_or_remember(m_state.seen, m_store.seen, key, visitor);
  if (entry == nullptr) {
    save(m_state.audit);
    m_state.audit.blind = true;
  } else if (m_run.preemptions < entry->preemptions) {
    entry->preemptions = m_run.preemptions;
  }
}

// Step 3.
bool Search::contradicts(const ExecutionResult& result) const {
  if (result.state.a == 0) return false;
  const bool is_complete = m_config.shards == 1 && !m_state.audit.blind && !m_state.overflow &&
                           !m_state.limit.set && (m_state.cut_at == 0 || m_run.preemptions < m_state.cut_at);
  const SeenEntry* end = find(result.spun ? key_of_outcome(result) : key_of_both(result));
  if (end == nullptr) return is_complete || (!result.spun && find(key_of_state(result)) != nullptr);
  return is_complete && end->preemptions > m_run.preemptions;
}

void Search::refute(bool starts_over) {
  const Transaction whole(m_undo_log);
  save(m_state.audit);
  save(m_state.dropped);
  save(m_state.least_dropped);
  save(m_state.limit);
  m_state.audit.refuted = true;
  m_state.dropped = true; // until the search starts over, it claims nothing
  m_state.least_dropped = 0;
  if (starts_over)
    m_state.limit = {
        .set = true, .ends_round = true, .starts_over = true, .worker = m_own.index, .phase = m_state.phase};
}

void Search::do_without_reduction(bool starts_over) {
  const bool all_there =
      m_config.audit != 0 && m_own.workers == 1 && m_state.audit.left_out + m_run.left_out == 0;
  if (!all_there) return refute(starts_over);
  const Transaction whole(m_undo_log);
  save(m_state.audit);
  m_state.audit.refuted = true;
}

} // namespace reex
