#include "reex/search/search.h"

#include <algorithm>
#include <atomic>

#include "heuristics/partition.h"
#include "reex/search/mix.h"
#include "reex/search/sampling.h"

namespace reex {
namespace {

constexpr std::uint32_t k_next_iteration = 0x80000000;

// Stores before it are made before those behind it, for whoever finds the memory after a kill.
void in_order() { std::atomic_signal_fence(std::memory_order_seq_cst); }

} // namespace

// ---- the order
// ----------------------------------------------------------------------------------------------

std::uint32_t Search::level_of(std::uint32_t preemptions) const {
  if (m_config.strategy != SearchStrategy::icb) return 0;
  return std::min<std::uint32_t>(preemptions, k_max_level - 1);
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
void Search::sort_bucket(std::uint32_t side, std::uint32_t level) {
  std::uint32_t count = 0;
  for (std::uint32_t node = m_state.head[side][level]; node != 0; node = m_store.node[node].next)
    m_store.order[count++] = node;
  std::sort(m_store.order, m_store.order + count,
            [this](std::uint32_t a, std::uint32_t b) { return before(b, a); });
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
    m_store.node[m_store.order[i]].next = head;
    head = m_store.order[i];
  }
  m_state.head[m_state.sorted_side][m_state.sorted_level] = head;
  in_order();
  m_state.sorting = 0;
}

void Search::recover() {
  m_journal.undo(m_store.journal);
  give_back(m_state.seen_lock, m_own.index);
  if (m_state.lock.owner.load() == m_own.index + 1) write_order();
  give_back(m_state.lock, m_own.index);
}

void Search::link(std::uint32_t node, bool next_iteration) {
  const std::uint32_t which = m_state.current ^ (next_iteration ? 1u : 0u);
  const std::uint32_t level = level_of(m_store.node[node].preemptions);
  keep(m_state.head[which][level]);
  m_store.node[node].next = m_state.head[which][level];
  m_state.head[which][level] = node;
  m_state.top_level[which] = std::max(m_state.top_level[which], level);
  ++m_state.pending;
  estimate_pending(m_state.estimate, m_store.node[node].preemptions, 1);
}

// Of the bucket at hand, what the limit leaves of it; 0: nothing.
std::uint32_t Search::lowest_left() {
  std::uint32_t& head = m_state.head[m_state.current][m_state.level];
  while (head != 0) {
    const std::uint32_t node = head;
    keep(head);
    head = m_store.node[node].next;
    --m_state.pending;
    estimate_pending(m_state.estimate, m_store.node[node].preemptions, -1);
    if (is_superseded(node)) {
      release(node);
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

// False: nothing is left at all.
bool Search::advance_level() {
  if (m_state.pending == 0) return false;
  end_era();
  if (m_state.level < m_state.top_level[m_state.current]) {
    ++m_state.level;
  } else { // Figure 4.2, line 28
    m_state.top_level[m_state.current] = 0;
    m_state.current ^= 1;
    ++m_state.iteration;
    m_state.level = 0;
  }
  sort_bucket(m_state.current, m_state.level);
  return true;
}

void Search::end_era() {
  ++m_state.era;
  while (m_state.retained != 0) {
    const std::uint32_t node = m_state.retained;
    m_state.retained = m_store.node[node].next;
    release(node);
  }
}

// Where workers compare their order, a schedule stands in the table for as long as the level lasts.
void Search::retire(std::uint32_t node) {
  if (m_own.workers == 1) {
    release(node);
    return;
  }
  m_store.node[node].next = m_state.retained;
  m_state.retained = node;
}

void Search::begin(std::uint32_t node) {
  m_state.in_flight[m_own.index] = {node, true};
  ++m_state.running;
  ready(node);
  m_run.execution = ++m_state.executions;
}

// Before the place changes: it is the worker's own, or shared, as the nearest journal behind it says.
template <typename T>
void Search::keep(const T& place) {
  const auto* at = reinterpret_cast<const char*>(&place);
  const auto* own = reinterpret_cast<const char*>(&m_journal);
  const auto* shared = reinterpret_cast<const char*>(&m_store.journal);
  m_journal.keep(at < shared && (own < at || shared < own) ? m_store.journal : m_journal, place);
}

// What the steps of the search change, a schedule's own nodes left out. Under the lock.
void Search::keep_progress() {
  keep(m_run);
  keep(m_state.in_flight[m_own.index]);
  for (auto* word : {&m_state.level, &m_state.iteration, &m_state.current, &m_state.era, &m_state.executions,
                     &m_state.running, &m_state.retained, &m_state.top_level[0], &m_state.top_level[1],
                     &m_state.least_dropped, &m_state.most_preemptions})
    keep(*word);
  keep(m_state.pending);
  keep(m_state.finished);
  keep(m_state.started);
  keep(m_state.dropped);
  keep(m_state.estimate.pending);
}

Search::Next Search::next(std::uint64_t max_schedules) {
  if (m_sampler != nullptr) {
    std::uint64_t& number = m_own.sampling.executions; // shards take turns, and in each its workers
    const std::uint64_t following = number == 0
                                        ? m_own.index * std::uint64_t{m_config.shards} + m_config.shard + 1
                                        : number + m_own.workers * std::uint64_t{m_config.shards};
    const Locked locked(m_state.lock, m_own.index);
    if (is_outdated()) return Next::outdated;
    if (max_schedules != 0 && following > max_schedules) return Next::limit;
    if (m_state.limit.set && following > m_state.limit.sample) return Next::nothing;
    const Transaction whole(m_journal);
    keep(m_run);
    keep(number);
    number = following;
    begin_sample();
    return Next::schedule;
  }
  const Locked locked(m_state.lock, m_own.index);
  if (is_outdated()) return Next::outdated;
  const Transaction whole(m_journal);
  keep_progress();
  if (max_schedules != 0 && m_state.finished + m_state.running >= max_schedules)
    return m_state.running == 0 ? Next::limit : Next::wait;
  if (!m_state.started) {
    m_state.started = true;
    begin(0);
    return Next::schedule;
  }
  for (;;) {
    if (const std::uint32_t node = lowest_left(); node != 0) {
      begin(node);
      return Next::schedule;
    }
    if (m_state.running != 0) return Next::wait;
    if (m_state.limit.ends_round) return Next::round_over;
    if (!advance_level()) return Next::nothing;
  }
}

void Search::again() {
  const Locked locked(m_state.lock, m_own.index);
  drop_fresh();
  const Transaction whole(m_journal);
  keep(m_run);
  if (m_sampler != nullptr) {
    begin_sample();
    return;
  }
  const std::uint32_t execution = m_run.execution;
  ready(m_state.in_flight[m_own.index].node);
  m_run.execution = execution;
}

// The alternatives of an execution that was thrown away.
void Search::drop_fresh() {
  while (m_run.fresh_count != 0) {
    const std::uint32_t node = m_fresh[m_run.fresh_count - 1] & ~k_next_iteration;
    --m_run.fresh_count;
    in_order();
    m_own.generation == m_state.generation ? retire(node) : release(node);
  }
  if (!m_run.tail_is_own) return;
  m_run.tail_is_own = false;
  in_order();
  release(m_run.tail);
}

bool Search::comes_before_limit(std::uint32_t node) const {
  const SearchLimit& limit = m_state.limit;
  if (!limit.set || m_state.era < limit.era) return true;
  return m_state.era == limit.era && limit.node != 0 && node != limit.node && before(node, limit.node);
}

bool Search::limit_to_this(bool ends_round) {
  if (is_outdated()) return false;
  SearchLimit& limit = m_state.limit;
  const std::uint32_t node = m_state.in_flight[m_own.index].node;
  const bool first = m_sampler != nullptr ? !limit.set || m_own.sampling.executions < limit.sample
                                          : node == 0 || comes_before_limit(node);
  const Transaction whole(m_journal);
  keep(limit);
  if (first) limit = {true, ends_round, m_own.index, m_state.era, node, m_own.sampling.executions};
  return first;
}

void Search::abandon() {
  recover();
  const Locked locked(m_state.lock, m_own.index);
  InFlight& own = m_state.in_flight[m_own.index];
  if (!own.active) return;
  own.active = false;
  --m_state.running;
  m_state.overflow = true;
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
  const Transaction whole(m_journal);
  if (m_sampler != nullptr) {
    keep(m_state.generation);
    m_own.sampling.profile.forget();
    ++m_state.generation;
    return false;
  }
  for (std::uint32_t which = 0; which < 2; ++which)
    for (std::uint32_t level = 0; level <= m_state.top_level[which]; ++level) {
      std::uint32_t& head = m_state.head[which][level];
      keep(head);
      while (head != 0) {
        const std::uint32_t node = head;
        head = m_store.node[node].next;
        release(node);
      }
    }
  keep_progress();
  keep(m_state.bound_pruned);
  keep(m_state.overflow);
  keep(m_state.limit);
  keep(m_state.generation);
  keep(m_own.generation);
  keep(m_state.seen);
  end_era();
  m_run = {};
  m_state.started = m_state.bound_pruned = m_state.overflow = false;
  m_state.iteration = m_state.level = m_state.current = 0;
  m_state.top_level[0] = m_state.top_level[1] = 0;
  m_state.pending = 0;
  m_state.most_preemptions = 0;
  m_state.limit = {};
  m_state.dropped = false;
  const Locked locked(m_state.seen_lock, m_own.index);
  m_own.generation = ++m_state.generation;
  forget_seen(m_state.seen, m_store.seen);
  forget_estimate(m_state.estimate);
  return true;
}

// ---- what is equivalent
// --------------------------------------------------------------------------------------

// In a CAPP iteration.
StateKey Search::key_of(StateKey key, bool next_iteration) const {
  const std::uint64_t iteration = m_state.iteration + (next_iteration ? 1u : 0u);
  return {key.a, key.b + iteration * 0x9e3779b97f4a7c15};
}

// The schedule `node`, executed at `level`, is to take the step.
Met Search::meet(StateKey key, std::uint32_t node, std::uint32_t preemptions, std::uint32_t level) {
  const Locked locked(m_state.seen_lock, m_own.index);
  if (is_outdated()) return Met::later;
  const Visitor visitor{m_run.execution, node, preemptions, level};
  return reex::meet(m_state.seen, m_store.seen, key, visitor,
                    [&](const SeenEntry& other) { return is_earlier(other, node, level); });
}

// In the order of the search.
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
  const Locked locked(m_state.seen_lock, m_own.index);
  return find(key_of(step.taken, false)) != nullptr ||
         (step.reached.a != 0 && find(key_of(step.reached, false)) != nullptr);
}

// Whether the state that the last step leads to was reached otherwise, so cheaply that all that follows costs
// no more from there: with fewer preemptions, or with as many where leaving costs nothing.
bool Search::is_dominated(std::uint32_t number) {
  const Node& node = m_store.node[number];
  const Locked locked(m_state.seen_lock, m_own.index);
  const SeenEntry* entry = find(node.reached);
  return entry != nullptr && entry->preemptions <= 2 * std::uint32_t{node.preemptions} &&
         is_earlier(*entry, number, level_of(node.preemptions));
}

void Search::reached(StateKey state, bool leaving_costs) {
  if (state.a == 0 || !is_beyond_plan()) return;
  meet(key_of(state, false), m_state.in_flight[m_own.index].node,
       2 * m_run.preemptions + (leaving_costs ? 1 : 0), m_state.level);
}

// Whether another schedule has come by the last step of this one since, at a smaller cost or earlier in the
// order.
bool Search::is_superseded(std::uint32_t node) {
  {
    const Locked locked(m_state.seen_lock, m_own.index);
    const SeenEntry* entry = find(m_store.node[node].taken);
    if (entry != nullptr && entry->node != node) return true;
  }
  return is_dominated(node);
}

bool Search::is_known(StateKey taken) {
  return is_beyond_plan() && meet(key_of(taken, false), m_state.in_flight[m_own.index].node,
                                  m_run.preemptions, m_state.level) == Met::before;
}

void Search::replay(std::uint32_t count) {
  m_run = {};
  m_run.plan_count = count;
}

void Search::plan_next(const Candidates& candidates, unsigned rank) {
  if (m_run.decision_count >= k_max_decisions) return;
  m_decisions[m_run.decision_count] = {m_run.point, candidates.step, candidates.thread[rank],
                                       static_cast<std::uint8_t>(rank), candidates.kind};
  m_run.plan_count = m_run.decision_count + 1;
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
  if (m_run.learning && m_sampler == nullptr)
    estimate_choice(m_state.estimate, m_run.path, m_config.bound, m_run.preemptions,
                    {candidates.count, cost(candidates, 1) != 0, rank != 0 && rank != k_pruned});
  if (rank == k_pruned) return rank;
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

// Takes the rank that the execution goes on with out of the `count` ranks, and those on the way to it that
// are explored elsewhere. Where bounds come in order, it costs no more than the first.
unsigned Search::take_next(const Candidates& candidates, const bool* keep, std::uint16_t* ranks,
                           unsigned& count) {
  const std::uint16_t* end = ranks + count;
  const std::uint32_t least =
      cost(candidates, *std::find_if(ranks, ranks + count, [&](std::uint16_t rank) { return keep[rank]; }));
  unsigned next = k_pruned;
  unsigned known = k_pruned; // one that is not counted yet: where all are known, the execution is its leaf
  count = 0;
  for (const std::uint16_t* rank = ranks; rank != end; ++rank) {
    const std::uint32_t own_cost = cost(candidates, *rank);
    if (next != k_pruned || !keep[*rank] || (m_config.strategy == SearchStrategy::icb && own_cost != least)) {
      ranks[count++] = *rank;
    } else if (candidates.steps == nullptr ||
               meet(key_of(candidates.steps[*rank].taken, false), m_state.in_flight[m_own.index].node,
                    m_run.preemptions + own_cost, m_state.level) != Met::before) {
      next = *rank;
    } else {
      if (known != k_pruned) count_known(candidates, known);
      known = *rank;
    }
  }
  if (next != k_pruned && known != k_pruned) count_known(candidates, known);
  return next;
}

void Search::count_known(const Candidates& candidates, unsigned rank) {
  estimate_known(m_state.estimate, m_run.path, m_config.bound, m_run.preemptions,
                 {candidates.count, cost(candidates, 1) != 0, rank != 0});
}

// False: the schedule's last step is explored elsewhere, or all that can follow it.
bool Search::join(std::uint32_t number, const Step& step, bool next_iteration) {
  Node& node = m_store.node[number];
  if (step.reached.a != 0) node.reached = key_of(step.reached, next_iteration);
  if (is_dominated(number)) return false;
  node.taken = key_of(step.taken, next_iteration);
  const Met met = meet(node.taken, number, node.preemptions, level_of(node.preemptions));
  if (met != Met::first) node.taken = {};
  return met != Met::before;
}

// Figure 4.2, lines 22-25: beyond the prefix, the alternatives of a choice join toExplore or nextToExplore,
// and the execution goes on with the first of those kept. What is explored elsewhere at no greater cost is
// neither.
unsigned Search::expand(const Candidates& candidates) {
  bool keep[k_max_candidates];
  keep[0] = true;
  unsigned count = candidates.count; // line 23: alternatives beyond the bound are out
  if (m_run.preemptions >= m_config.bound && cost(candidates, 1) != 0) {
    count = 1;
    for (unsigned rank = 1; rank < candidates.count && !m_state.bound_pruned; ++rank)
      if (candidates.steps == nullptr || !is_within_bound(candidates.steps[rank]))
        m_state.bound_pruned = true;
  }
  if (candidates.kind == ChoiceKind::run)
    partition_prioritized(m_config.mode, m_config.mask, candidates.bits, count, candidates.current_first,
                          keep);
  else
    std::fill(keep, keep + count, true);

  std::uint16_t ranks[k_max_candidates];
  order(candidates, count, ranks);
  const unsigned go_on = take_next(candidates, keep, ranks, count);
  for (unsigned i = count; i-- > 0;) { // last first: the bucket is a stack
    const unsigned rank = ranks[i];
    if (!is_ours(candidates, rank)) continue;
    if (m_run.fresh_count >= k_max_fresh) {
      m_state.overflow = true;
      break;
    }
    const std::uint32_t node = make_node(candidates, rank);
    if (node == 0) break;
    if (candidates.steps != nullptr && !join(node, candidates.steps[rank], !keep[rank])) {
      count_known(candidates, rank);
      release(node);
      continue;
    }
    m_fresh[m_run.fresh_count] = node | (keep[rank] ? 0 : k_next_iteration);
    in_order();
    ++m_run.fresh_count;
  }
  if (go_on != 0 && go_on != k_pruned) { // a forced switch is part of the path of all that follows
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

// ---- nodes
// --------------------------------------------------------------------------------------------------

std::uint32_t Search::unused_node() {
  constexpr std::uint32_t k_at_once = 64;
  if (const std::uint32_t node = m_own.free_list; node != 0) {
    m_own.free_list = m_store.node[node].next;
    in_order();
    return node;
  }
  if (m_own.unused == m_own.unused_end) {
    const std::uint32_t first = m_state.nodes_used.fetch_add(k_at_once, std::memory_order_relaxed);
    if (first >= k_max_nodes - k_at_once) {
      m_state.nodes_used.store(k_max_nodes - k_at_once);
      m_state.overflow = true;
      return 0;
    }
    m_own.unused = first;
    m_own.unused_end = first + k_at_once;
  }
  return m_own.unused++;
}

std::uint32_t Search::make_node(const Candidates& candidates, unsigned rank) {
  const std::uint32_t node = unused_node();
  if (node == 0) return 0;
  const std::uint32_t parent = m_run.tail;
  const std::uint32_t depth = parent == 0 ? 1 : m_store.node[parent].depth + 1u;
  if (depth >= 0xffff) m_state.overflow = true;
  if (parent != 0) __atomic_fetch_add(&m_store.node[parent].references, 1, __ATOMIC_RELAXED);
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
                        .kind = {},
                        .generation = {},
                        .taken = {},
                        .reached = {}};
  m_store.node[node].kind = candidates.kind;
  m_store.node[node].generation = std::min(generation() + 1, cut()) & 15;
  in_order();
  return node;
}

void Search::release(std::uint32_t node) {
  while (node != 0) {
    std::uint32_t& references = m_store.node[node].references;
    m_journal.keep_decrement(m_store.journal, references);
    in_order();
    if (__atomic_sub_fetch(&references, 1, __ATOMIC_ACQ_REL) != 0) return;
    const std::uint32_t parent = m_store.node[node].parent;
    keep(m_store.node[node].next);
    keep(m_own.free_list);
    m_store.node[node].next = m_own.free_list;
    in_order();
    m_own.free_list = node;
    node = parent;
  }
}

void Search::commit(bool counted) {
  if (!m_run.learning) return; // a replay
  Locked locked(m_state.lock, m_own.index, Locked::k_later);
  const Transaction whole(m_journal);
  if (m_sampler != nullptr) {
    keep(m_run);
    end_sample();
    m_run.learning = false;
    return;
  }
  locked.take();
  keep_progress();
  InFlight& own = m_state.in_flight[m_own.index];
  const bool outdated = is_outdated();
  const bool ours = counted && counts();
  if (!outdated) estimate_end(m_state.estimate, m_run.path, m_config.bound, m_run.preemptions);
  for (std::uint32_t i = 0; i < m_run.fresh_count; ++i) {
    const std::uint32_t node = m_fresh[i] & ~k_next_iteration;
    if (outdated)
      release(node);
    else
      link(node, (m_fresh[i] & k_next_iteration) != 0);
  }
  m_run.fresh_count = 0;
  if (!outdated) m_state.most_preemptions = std::max(m_state.most_preemptions, m_run.preemptions);
  if (m_run.tail_is_own) release(m_run.tail);
  m_run.tail_is_own = false;
  if (own.node != 0) outdated ? release(own.node) : retire(own.node);
  own = {0, false};
  --m_state.running;
  if (ours) ++m_state.finished;
  m_run.learning = false;
}

// ---- what is done
// -------------------------------------------------------------------------------------------

bool Search::exhausted() const {
  return m_sampler == nullptr && m_state.started && m_state.pending == 0 && m_state.running == 0 &&
         !m_state.dropped && !m_state.bound_pruned && !m_state.overflow;
}

std::int64_t Search::bound_completed() const {
  if (m_sampler != nullptr || !m_state.started || m_state.overflow) return -1;
  std::int64_t least = -1; // fewest preemptions of what is left
  const auto left = [&least](std::uint32_t preemptions) {
    if (least < 0 || preemptions < least) least = preemptions;
  };
  if (m_state.dropped) left(m_state.least_dropped);
  for (const InFlight& one : m_state.in_flight)
    if (one.active) left(one.node == 0 ? 0 : m_store.node[one.node].preemptions);
  for (std::uint32_t which = 0; which < 2; ++which)
    for (std::uint32_t level = 0; level <= m_state.top_level[which]; ++level)
      for (std::uint32_t node = m_state.head[which][level]; node != 0; node = m_store.node[node].next)
        left(m_store.node[node].preemptions);
  if (least >= 0) return least - 1;
  return m_config.bound != k_no_bound ? m_config.bound : m_state.most_preemptions;
}

} // namespace reex
