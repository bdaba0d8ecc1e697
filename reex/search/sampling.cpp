#include "reex/search/sampling.h"

#include "reex/search/mix.h"

namespace reex {

std::uint64_t Sampling::draw() { return state.random = mix(state.random); }

void Sampling::draw_priority(std::uint16_t thread) {
  constexpr std::int64_t k_above_reasons = k_max_depth + 1;
  state.priority[thread] = k_above_reasons + static_cast<std::int64_t>(draw() >> 2);
  state.waited[thread] = 0;
}

unsigned Sampling::highest(const Event* enabled, unsigned count) const {
  unsigned best = 0;
  for (unsigned i = 1; i < count; ++i)
    if (state.priority[enabled[i].thread] > state.priority[enabled[best].thread]) best = i;
  return best;
}

void Sampling::pass_over(const Event* enabled, unsigned count, unsigned chosen) {
  for (unsigned i = 0; i < count; ++i)
    if (i != chosen && ++state.waited[enabled[i].thread] > k_patience) draw_priority(enabled[i].thread);
}

// The functions of Search that call a sampler.

void Search::begin_sample(SearchStrategy member, std::uint64_t turn) {
  ready(0);
  m_run.member = member;
  m_run.turn = turn;
  SamplingState& state = m_own.sampling;
  state.random = mix(m_config.seed ^ mix(state.executions - 1));
  state.polls = 0;
  state.is_patient = takes_turns() && mix(~state.random) % k_patient_samples == 0;
  Sampling sampling{m_config, state, m_undo_log};
  if (sampler()->begin != nullptr) sampler()->begin(sampling);
}

// The rank of the thread that goes on polling, alone, or whose loop is suspected by now, in a patient sample;
// -1: there is none.
int Search::polls_on(const Candidates& candidates) {
  if (!m_own.sampling.is_patient) return -1;
  std::uint32_t& polls = m_own.sampling.polls;
  if (candidates.kind == ChoiceKind::run && candidates.current_first) {
    polls = candidates.polls ? candidates.thread[0] + 1u : 0;
    return candidates.polls ? 0 : -1;
  }
  if (candidates.kind == ChoiceKind::loop)
    for (unsigned rank = 1; rank < candidates.count; ++rank)
      if (candidates.thread[rank] + 1u == polls) return static_cast<int>(rank);
  return -1;
}

// A draw that would exceed the bound becomes the default choice.
unsigned Search::sample(const Candidates& candidates) {
  Sampling sampling{m_config, m_own.sampling, m_undo_log};
  unsigned rank = 0;
  if (candidates.kind == ChoiceKind::run && candidates.due != k_nobody_is_due)
    rank = candidates.due;
  else if (const int on = polls_on(candidates); on >= 0)
    rank = static_cast<unsigned>(on);
  else if (candidates.kind == ChoiceKind::run)
    rank = sampler()->pick(sampling, candidates.events, candidates.count);
  else if (!is_rare(candidates.kind) || sampling.below(k_rarity) == 0)
    rank = static_cast<unsigned>(sampling.below(candidates.count));
  return !m_config.deepens && m_run.preemptions + cost(candidates, rank) > m_config.bound ? 0 : rank;
}

void Search::end_sample() {
  Sampling sampling{m_config, m_own.sampling, m_undo_log};
  if (sampler()->ended != nullptr) sampler()->ended(sampling);
}

bool Search::wants_events() const { return sampler() != nullptr && sampler()->wants_events; }

void Search::executed(const Event& event) {
  if (!m_run.learning || sampler()->executed == nullptr) return;
  Sampling sampling{m_config, m_own.sampling, m_undo_log};
  sampler()->executed(sampling, event);
}

void Search::gave_way(std::uint16_t thread) {
  if (!m_run.learning || sampler()->gave_way == nullptr) return;
  Sampling sampling{m_config, m_own.sampling, m_undo_log};
  sampler()->gave_way(sampling, thread);
}

void Search::created(std::uint16_t parent, std::uint16_t child) {
  if (!m_run.learning || sampler()->created == nullptr) return;
  Sampling sampling{m_config, m_own.sampling, m_undo_log};
  sampler()->created(sampling, parent, child);
}

} // namespace reex
