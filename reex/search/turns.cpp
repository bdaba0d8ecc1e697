// Strategy auto: whose turn it is (turns.h).
#include "reex/search/turns.h"

#include "reex/search/sampling.h"
#include "reex/search/search.h"

namespace reex {

bool Search::sample_is_due() const {
  return sample_after(m_state.samples).turn < frontier_turn_after(m_state.of_frontier) &&
         (!is_limited() || sample_is_left());
}

// Whether a sample comes before the limit, as far as the limit's turn is known.
bool Search::sample_is_left() const {
  const SearchLimit& limit = m_state.limit;
  const std::uint64_t turn = sample_after(m_state.samples).turn;
  return is_limited() && (!limit.set || turn < limit.turn()) && (limit.sample == 0 || turn < limit.sample);
}

// A sample has failed, or ends the round, and it comes before all that is left of the frontier.
bool Search::sample_comes_first() const {
  return takes_turns() && m_state.limit.sample != 0 &&
         m_state.limit.sample < frontier_turn_after(m_state.of_frontier);
}

Search::Next Search::begin_turn() {
  const SampleTurn next = sample_after(m_state.samples);
  SamplingState& own = m_own.sampling;
  if (next.member == SearchStrategy::surw && !m_state.taught) {
    if (m_state.teacher != 0) return Next::wait;
    m_state.teacher = m_own.index + 1;
    own.taught_round = 0;
    own.profile.forget();
  }
  if (next.member == SearchStrategy::surw && m_state.taught && own.taught_round != m_state.round + 1) {
    own.profile.copy(m_store.profile);
    own.taught_round = m_state.round + 1;
  }
  save(own.executions);
  own.executions = (next.number - 1) * m_config.shards + m_config.shard + 1;
  take_first();
  ++m_state.samples;
  ++m_state.sampling;
  m_state.in_flight[m_own.index] = {0, true, false, true};
  begin_sample(next.member, next.turn);
  return Next::schedule;
}

void Search::end_turn() {
  save(m_state.in_flight[m_own.index]);
  save(m_state.sampling);
  m_state.in_flight[m_own.index] = {};
  --m_state.sampling;
  if (m_state.teacher != m_own.index + 1) return;
  save(m_state.teacher);
  save(m_state.taught);
  m_state.teacher = 0;
  if (is_outdated()) return;
  end_sample();
  m_store.profile.copy(m_own.sampling.profile);
  in_order();
  m_state.taught = true;
}

// A schedule of the frontier has been executed. If it comes before the limit, the limit's turn may come later
// than was known.
void Search::count_turn(bool cut) {
  const std::uint32_t node = m_state.in_flight[m_own.index].node;
  if (cut) {
    --m_state.of_frontier.ended;
    ++m_state.of_frontier.cut;
    m_store.node[node].is_cut = true;
  }
  SearchLimit& limit = m_state.limit;
  if (!limit.set || m_run.audit || (limit.node == 0) || (node != 0 && !comes_before_limit(node))) return;
  save(limit);
  ++(cut ? limit.before.cut : limit.before.ended);
}

FrontierCount Search::those_before_this() const {
  FrontierCount count = m_state.of_frontier;
  --count.ended;
  if (m_own.workers == 1) return count;
  const std::uint32_t node = m_state.in_flight[m_own.index].node;
  count = m_state.before_phase;
  if (node == 0) return count;
  for (std::uint32_t other = m_state.retained; other != 0; other = m_store.node[other].next) {
    const Node& earlier = m_store.node[other];
    if (other == node || earlier.is_followed || !before(other, node)) continue;
    ++(earlier.is_cut ? count.cut : count.ended);
  }
  // The first schedule of all, which has no node, belongs to the first level.
  if (m_state.level == 0 && m_state.iteration == 0) ++count.ended;
  return count;
}

// Of the execution under way.
std::uint64_t Search::this_turn() const {
  if (sampler() != nullptr) return takes_turns() ? m_run.turn : m_own.sampling.executions;
  return frontier_turn_after(those_before_this());
}

// A round that ends with a limit begins anew behind the limit's turn: what came later was executed without
// knowing.
void Search::set_turns_back() {
  const SearchLimit& limit = m_state.limit;
  if (takes_turns() && is_limited() && limit.ends_round) {
    std::uint64_t turn = limit.set ? limit.turn() : limit.sample;
    if (limit.sample != 0 && limit.sample < turn) turn = limit.sample;
    m_state.samples = samples_until(turn);
    m_state.of_frontier = {.ended = frontier_turns_until(turn)};
  }
  m_state.before_phase = m_state.of_frontier;
}

} // namespace reex
