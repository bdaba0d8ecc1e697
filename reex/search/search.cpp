#include "reex/search/search.h"

#include <algorithm>

#include "reex/search/sampling.h"

namespace reex {

void Search::recover() {
  m_undo_log.undo(m_store.undo_log);
  release_from(m_state.seen_lock, m_own.index);
  if (m_state.lock.owner.load() == m_own.index + 1) write_order();
  release_from(m_state.lock, m_own.index);
}

void Search::begin(std::uint32_t node, bool audit) {
  take_first();
  m_state.in_flight[m_own.index] = {node, true, audit, false};
  ++m_state.running;
  ++m_state.of_frontier.ended;
  ready(node);
  m_run.execution = ++m_state.executions;
  m_next = m_ahead = m_state.head[m_state.current][m_state.level];
  fetch_node(m_ahead);
}

// From the first execution of a round the runtime learns how long and how patient executions are. So it is
// made alone, and no other one begins before it counts.
bool Search::must_wait_for_first() const {
  const std::uint32_t first = m_state.first;
  return first != k_first_is_done && first != k_nobodys && first != 0 && first != m_own.index + 1;
}

void Search::take_first() {
  if (m_state.first == k_first_is_done) return;
  save(m_state.first);
  m_state.first = m_own.index + 1;
}

// Saves the variables of the search that change with each schedule, without nodes. Under the lock.
void Search::save_progress() {
  save(m_run);
  save(m_state.in_flight[m_own.index]);
  for (auto* word :
       {&m_state.level, &m_state.bound, &m_state.iteration, &m_state.current, &m_state.phase,
        &m_state.deepened, &m_state.first_iteration, &m_state.executions, &m_state.running, &m_state.retained,
        &m_state.least_dropped, &m_state.most_preemptions, &m_state.sampling, &m_state.teacher})
    save(*word);
  for (auto* words : {&m_state.pending, &m_state.later, &m_state.samples}) save(*words);
  save(m_state.of_frontier);
  save(m_state.before_phase);
  save(m_state.top_level);
  save(m_state.taught);
  save(m_state.rules);
  save(m_state.audit);
  save(m_state.finished);
  save(m_state.started);
  save(m_state.dropped);
  save(m_state.estimate.pending);
}

Search::Next Search::next_sample(std::uint64_t max_schedules) {
  std::uint64_t& number = m_own.sampling.executions; // shards, and the workers in each, take turns
  const std::uint64_t following = number == 0
                                      ? m_own.index * std::uint64_t{m_config.shards} + m_config.shard + 1
                                      : number + m_own.workers * std::uint64_t{m_config.shards};
  const Locked locked(m_state.lock, m_own.index);
  if (is_outdated()) return Next::outdated;
  if (max_schedules != 0 && following > max_schedules) return Next::limit;
  if (m_state.limit.sample != 0 && following > m_state.limit.sample) return Next::nothing;
  // The run's first sample is the first worker's.
  if (must_wait_for_first() || (m_state.first == 0 && m_own.index != 0)) return Next::wait;
  const Transaction whole(m_undo_log);
  take_first();
  save(m_run);
  save(number);
  number = following;
  forget_earlier_round();
  begin_sample(m_config.strategy, 0);
  return Next::schedule;
}

// The program has other visible operations now, which are counted anew.
void Search::forget_earlier_round() {
  SamplingState& own = m_own.sampling;
  if (own.counted_round == m_state.round) return;
  save(own.counted_round);
  save(own.taught_round);
  own.counted_round = m_state.round;
  own.taught_round = 0;
  own.profile.forget();
}

Search::Next Search::next(std::uint64_t max_schedules) {
  if (!has_frontier()) return next_sample(max_schedules);
  const Locked locked(m_state.lock, m_own.index);
  if (is_outdated()) return Next::outdated;
  if (must_wait_for_first()) return Next::wait;
  for (;;) { // a round for each transaction that became long

    const Transaction whole(m_undo_log);
    save_progress();
    end_round_if_grown();
    const bool full =
        max_schedules != 0 && m_state.finished + m_state.running + m_state.samples >= max_schedules;
    if (!full && takes_turns() && sample_is_due()) return begin_turn();
    const bool ours = !full && !sample_comes_first();
    if (ours && !m_state.started) {
      m_state.started = true;
      m_state.bound = m_config.bound;
      m_state.rules = m_config.prioritization.all();
      begin(0, false);
      return Next::schedule;
    }
    if (const std::uint32_t node = ours ? lowest_left() : 0; node != 0) {
      begin(node, false);
      return Next::schedule;
    }
    if (m_undo_log.is_long()) continue;
    if (const std::uint32_t node = due_audit(); node != 0) {
      begin(node, true);
      return Next::schedule;
    }
    if (m_state.running != 0) return Next::wait;
    if (!full && takes_turns() && sample_is_left()) return begin_turn();
    if (m_state.sampling != 0) return Next::wait;
    if (full) return Next::limit;
    if (m_state.limit.ends_round) return Next::round_over;
    if (is_limited() || m_state.pending == 0 || iterations_are_done() || is_settled()) return Next::nothing;
    release_retained();
    if (m_state.retained == 0) advance_level();
  }
}

void Search::again() {
  const Locked locked(m_state.lock, m_own.index);
  drop_fresh();
  const Transaction whole(m_undo_log);
  save(m_run);
  if (sampler() != nullptr) {
    begin_sample(m_run.member, m_run.turn);
    return;
  }
  const std::uint32_t execution = m_run.execution;
  ready(m_state.in_flight[m_own.index].node);
  m_run.execution = execution;
}

void Search::lift_limit(bool of_sample) {
  SearchLimit& limit = m_state.limit;
  if (limit.ends_round || is_outdated()) return;
  const Transaction whole(m_undo_log);
  save(limit);
  if (of_sample && limit.sampling_worker == m_own.index)
    limit.sample = 0;
  else if (!of_sample && limit.worker == m_own.index)
    limit = {.sample = limit.sample, .sampling_worker = limit.sampling_worker};
}

bool Search::comes_before_limit(std::uint32_t node) const {
  const SearchLimit& limit = m_state.limit;
  if (!limit.set || m_state.phase < limit.phase) return true;
  return m_state.phase == limit.phase && limit.node != 0 && node != limit.node && before(node, limit.node);
}

bool Search::limit_to_this(bool ends_round) {
  if (is_outdated()) return false;
  SearchLimit& limit = m_state.limit;
  const bool is_sample = sampler() != nullptr;
  const FrontierCount before = is_sample ? FrontierCount{} : those_before_this();
  const std::uint64_t turn = is_sample ? this_turn() : frontier_turn_after(before);
  // Two failures may stand side by side, until it is known which comes first. With a round's end, there is
  // one limit.
  const bool alone = ends_round || limit.ends_round;
  bool first = false;
  if (is_sample) {
    first = (limit.sample == 0 || turn < limit.sample) && (!alone || !limit.set || turn < limit.turn());
  } else {
    const std::uint32_t node = m_state.in_flight[m_own.index].node;
    first = (node == 0 || comes_before_limit(node)) && (limit.sample == 0 || turn < limit.sample);
  }
  if (!first) return false;
  const Transaction whole(m_undo_log);
  save(limit);
  if (alone) limit = {};
  limit.ends_round = ends_round;
  if (is_sample) {
    limit.sample = turn;
    limit.sampling_worker = m_own.index;
  } else {
    limit = {.set = true,
             .ends_round = ends_round,
             .worker = m_own.index,
             .phase = m_state.phase,
             .node = m_state.in_flight[m_own.index].node,
             .before = before,
             .sample = limit.sample,
             .sampling_worker = limit.sampling_worker};
  }
  return true;
}

void Search::abandon() {
  recover();
  const Locked locked(m_state.lock, m_own.index);
  InFlight& own = m_state.in_flight[m_own.index];
  if (m_state.first == m_own.index + 1) m_state.first = k_nobodys;
  if (!own.active) return;
  own.active = false;
  if (own.sample) {
    --m_state.sampling;
    if (m_state.teacher == m_own.index + 1) m_state.teacher = 0;
    return;
  }
  --m_state.running;
  m_state.overflow = true;
}

void Search::ready(std::uint32_t node) {
  m_run = {};
  m_run.learning = true;
  m_run.audit = m_state.in_flight[m_own.index].audit;
  m_run.tail = node;
  m_run.rules = node == 0 ? m_state.rules : m_store.node[node].rules;
  if (node == 0) return;
  m_run.plan_count = m_store.node[node].depth;
  m_run.plan_hash = m_store.node[node].hash;
  m_run.check_hash = true;
  for (std::uint32_t i = m_run.plan_count; node != 0; node = m_store.node[node].parent) {
    const Node& from = m_store.node[node];
    m_decisions[--i] = {from.point, from.step, static_cast<std::uint16_t>(from.thread),
                        static_cast<std::uint16_t>(from.rank), from.kind};
  }
}

bool Search::start_over() {
  const Transaction whole(m_undo_log);
  if (!has_frontier()) {
    save(m_state.round);
    save(m_state.first);
    ++m_state.round;
    m_state.first = k_nobodys;
    return false;
  }
  save_progress();
  save(m_state.bound_pruned);
  save(m_state.cut_at);
  save(m_state.overflow);
  save(m_state.limit);
  save(m_state.round);
  save(m_state.first);
  save(m_own.round);
  save(m_state.seen);
  save(m_state.apart);
  if (!m_state.apart.starts_over) m_state.apart.whole = 0; // other operations are visible now
  m_state.apart.left_out = 0;
  m_state.apart.starts_over = false;
  ++m_state.phase;
  m_run = {};
  set_turns_back();
  m_state.first = k_nobodys;
  m_state.started = m_state.bound_pruned = m_state.overflow = m_state.taught = false;
  m_state.cut_at = 0;
  m_state.iteration = m_state.level = m_state.current = m_state.deepened = m_state.first_iteration = 0;
  for (std::uint32_t& top : m_state.top_level) top = 0;
  m_state.pending = m_state.later = 0;
  m_state.audit = {.refuted = m_state.audit.refuted};
  m_state.most_preemptions = 0;
  m_state.limit = {};
  m_state.dropped = false;
  const Locked locked(m_state.seen_lock, m_own.index);
  m_own.round = ++m_state.round;
  forget_seen(m_state.seen, m_store.seen);
  forget_estimate(m_state.estimate);
  return true;
}

void Search::commit(bool counted) { end_execution(counted, true); }

void Search::end_execution(bool counted, bool executed) {
  if (!m_run.learning) return; // a replay
  const Locked locked(m_state.lock, m_own.index);
  const Transaction whole(m_undo_log);
  if (executed && m_state.first == m_own.index + 1) {
    save(m_state.first);
    m_state.first = counted ? k_first_is_done : k_nobodys;
  }
  if (sampler() != nullptr) {
    save(m_run);
    if (takes_turns())
      end_turn();
    else
      end_sample();
    m_run.learning = false;
    return;
  }
  save_progress();
  InFlight& own = m_state.in_flight[m_own.index];
  const bool outdated = is_outdated();
  if (!executed) {
    --m_state.of_frontier.ended;
    save(m_state.followed);
    ++m_state.followed;
    m_store.node[own.node].is_followed = true;
  } else if (!outdated) {
    count_turn(!counted);
  }
  const bool ours = counted && counts();
  if (!outdated && counted && explores()) learn_whole();
  if (!outdated && own.node == 0) drop_idle_rules();
  if (!outdated && explores()) estimate_end(m_state.estimate, m_run.path, m_config.bound, m_run.preemptions);
  for (std::uint32_t i = 0; i < m_run.fresh_count; ++i) {
    const std::uint32_t node = m_fresh[i] & k_node_bits;
    if (outdated)
      release(node);
    else
      link(node, m_fresh[i]);
  }
  if (!outdated) m_state.audit.left_out += m_run.left_out;
  m_run.fresh_count = 0;
  if (!outdated && explores())
    m_state.most_preemptions = std::max(m_state.most_preemptions, m_run.preemptions);
  if (m_run.tail_is_own) release(m_run.tail);
  m_run.tail_is_own = false;
  if (own.node != 0) outdated ? release(own.node) : retire(own.node);
  own = {};
  --m_state.running;
  if (ours) ++m_state.finished;
  m_run.learning = false;
}

bool Search::exhausted() const {
  return has_frontier() && m_state.started && m_state.pending == 0 && m_state.audit.waiting == 0 &&
         m_state.running == 0 && !m_state.dropped && !m_state.bound_pruned && !m_state.overflow &&
         !m_state.apart.starts_over;
}

std::int64_t Search::bound_completed() const {
  if (!has_frontier() || !m_state.started || m_state.overflow || m_state.apart.starts_over) return -1;
  std::int64_t least = -1; // fewest preemptions of a schedule that is left
  const auto left = [&least](std::uint32_t preemptions) {
    if (least < 0 || preemptions < least) least = preemptions;
  };
  if (m_state.dropped) left(m_state.least_dropped);
  if (m_state.cut_at != 0) left(m_state.cut_at);
  for (const InFlight& one : m_state.in_flight)
    if (one.active && !one.sample) left(one.node == 0 ? 0 : m_store.node[one.node].preemptions);
  for (std::uint32_t which = 0; which < k_bucket_rows; ++which)
    for (std::uint32_t level = 0; level <= m_state.top_level[which]; ++level)
      for (std::uint32_t node = m_state.head[which][level]; node != 0; node = m_store.node[node].next)
        left(m_store.node[node].preemptions);
  if (least >= 0) return least - 1;
  return m_config.bound != k_no_bound && !m_config.deepens ? m_config.bound : m_state.most_preemptions;
}

} // namespace reex
