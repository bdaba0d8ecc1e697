// Delta debugging over the choices of a schedule (Zeller and Hildebrandt, TSE 2002): which ones to leave out
// next. Freed of processes, so that it can be told what an execution would do.
#pragma once

#include <optional>

#include "reex/replay/trials.h"

namespace reex {

class TurnReduction {
public:
  explicit TurnReduction(Turns turns);

  // The next schedule to try; nullopt: leaving out any single choice was tried and does not do.
  std::optional<Turns> candidate() const;
  // The candidate does: `executed` are the choices that its execution made, which may be fewer still. Not
  // fewer than before, it counts as rejected.
  void accept(Turns executed);
  void reject();

  const Turns& turns() const { return m_turns; } // the fewest so far

private:
  void next_pass();

  Turns m_turns;
  std::size_t m_chunk;
  std::size_t m_end; // the chunk to leave out ends here: late choices first
  bool m_accepted = false;
};

} // namespace reex
