#include "reex/search/sampling.h"

#include "reex/search/mix.h"

namespace reex {

std::uint64_t Sampling::draw() { return state.random = mix(state.random); }

void Search::begin_sample() {
  ready(0);
  SamplingState& state = m_state.sampling;
  state.random = mix(m_config.seed ^ mix(state.executions - 1));
  Sampling sampling{m_config, state};
  if (m_sampler->begin != nullptr) m_sampler->begin(sampling);
}

// A draw that would exceed the bound becomes the default.
unsigned Search::sample(const Candidates& candidates) {
  Sampling sampling{m_config, m_state.sampling};
  const unsigned rank = candidates.kind == ChoiceKind::run
                            ? m_sampler->pick(sampling, candidates.events, candidates.count)
                            : static_cast<unsigned>(sampling.below(candidates.count));
  return m_run.preemptions + cost(candidates, rank) > m_config.bound ? 0 : rank;
}

bool Search::wants_events() const { return m_sampler != nullptr && m_sampler->executed != nullptr; }

void Search::executed(const Event& event) {
  if (!m_run.learning) return;
  Sampling sampling{m_config, m_state.sampling};
  m_sampler->executed(sampling, event);
}

void Search::created(std::uint16_t parent, std::uint16_t child) {
  if (!m_run.learning || m_sampler == nullptr || m_sampler->created == nullptr) return;
  Sampling sampling{m_config, m_state.sampling};
  m_sampler->created(sampling, parent, child);
}

void Search::end_sample() {
  Sampling sampling{m_config, m_state.sampling};
  if (m_sampler->ended != nullptr) m_sampler->ended(sampling);
}

} // namespace reex
