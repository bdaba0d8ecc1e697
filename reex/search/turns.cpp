// Strategy auto: whose turn it is (turns.h).
#include "reex/search/turns.h"

#include "reex/search/sampling.h"
#include "reex/search/search.h"

namespace reex {

bool Search::sample_is_due() const {
  return sample_after(m_state.samples).turn < frontier_turn_after(m_state.turns) &&
         (!is_limited() || sample_is_left());
}

// Whether a sample comes before the limit, as far as the limit's turn is known.
bool Search::sample_is_left() const {
  const SearchLimit& limit = m_state.limit;
  const std::uint64_t turn = sample_after(m_state.samples).turn;
  return is_limited() && (!limit.set || turn < limit.turn) && (limit.sample == 0 || turn < limit.sample);
}

// A sample has failed, or ends the round, and it comes before all that is left of the frontier.
bool Search::sample_comes_first() const {
  return takes_turns() && m_state.limit.sample != 0 &&
         m_state.limit.sample < frontier_turn_after(m_state.turns);
}

bool Search::must_wait_for_first() const {
  return m_state.turns == 1 && m_state.samples == 0 && m_state.running != 0;
}

Search::Next Search::begin_turn() {
  const Sample next = sample_after(m_state.samples);
  SamplingState& own = m_own.sampling;
  if (must_wait_for_first()) return Next::wait;
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

// A schedule of the frontier has ended. If it comes before the limit, the limit's turn comes one later than
// was known.
void Search::count_turn() {
  const std::uint32_t node = m_state.in_flight[m_own.index].node;
  SearchLimit& limit = m_state.limit;
  if (!limit.set || m_run.audit || (limit.node == 0) || (node != 0 && !comes_before_limit(node))) return;
  save(limit);
  limit.turn += k_members;
}

// Of the execution under way.
std::uint64_t Search::this_turn() const {
  if (sampler() != nullptr) return takes_turns() ? m_run.turn : m_own.sampling.executions;
  if (m_own.workers == 1) return frontier_turn_after(m_state.turns - 1);
  const std::uint32_t node = m_state.in_flight[m_own.index].node;
  std::uint64_t earlier = m_state.turns_before;
  if (node == 0) return frontier_turn_after(earlier);
  for (std::uint32_t other = m_state.retained; other != 0; other = m_store.node[other].next)
    if (other != node && !m_store.node[other].is_followed && before(other, node)) ++earlier;
  // The first schedule of all, which has no node, belongs to the first level.
  return frontier_turn_after(earlier + (m_state.level == 0 && m_state.iteration == 0 ? 1 : 0));
}

// A round that ends with a limit begins anew behind the limit's turn: what came later was executed without
// knowing.
void Search::set_turns_back() {
  const SearchLimit& limit = m_state.limit;
  if (takes_turns() && is_limited() && limit.ends_round) {
    std::uint64_t turn = limit.set ? limit.turn : limit.sample;
    if (limit.sample != 0 && limit.sample < turn) turn = limit.sample;
    m_state.samples = samples_until(turn);
    m_state.turns = frontier_turns_until(turn);
  }
  m_state.turns_before = m_state.turns;
}

} // namespace reex
