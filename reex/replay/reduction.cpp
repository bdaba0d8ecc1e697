#include "reex/replay/reduction.h"

#include <algorithm>
#include <utility>

namespace reex {

TurnReduction::TurnReduction(Turns turns)
    : m_turns(std::move(turns)), m_chunk(std::max<std::size_t>(m_turns.size(), 1)), m_end(m_turns.size()) {}

std::optional<Turns> TurnReduction::candidate() const {
  if (m_end == 0) return {};
  const std::size_t begin = m_end > m_chunk ? m_end - m_chunk : 0;
  Turns turns(m_turns.begin(), m_turns.begin() + static_cast<std::ptrdiff_t>(begin));
  turns.insert(turns.end(), m_turns.begin() + static_cast<std::ptrdiff_t>(m_end), m_turns.end());
  return turns;
}

void TurnReduction::accept(Turns executed) {
  if (executed.size() >= m_turns.size()) {
    reject();
    return;
  }
  m_accepted = true;
  m_turns = std::move(executed);
  m_end = std::min(m_end > m_chunk ? m_end - m_chunk : 0, m_turns.size());
  if (m_end == 0) next_pass();
}

void TurnReduction::reject() {
  m_end = m_end > m_chunk ? m_end - m_chunk : 0;
  if (m_end == 0) next_pass();
}

// Halves the chunk size. With chunks of one choice, it begins again until no choice can be left out.
void TurnReduction::next_pass() {
  if (m_chunk == 1 && !m_accepted) return;
  m_accepted = false;
  m_chunk = std::max<std::size_t>(std::min(m_chunk, m_turns.size()) / 2, 1);
  m_end = m_turns.size();
}

} // namespace reex
