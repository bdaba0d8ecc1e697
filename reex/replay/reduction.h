// Decides which choices of a schedule to leave out next. The class executes nothing: the caller executes each
// candidate and says whether it still fails. So a test can use it without processes.
//
// Callers: minimize(), in the parent process. Ask candidate(), execute it, and call accept() or reject();
// repeat this until candidate() returns nullopt.
//
// Invariants: turns() is always a schedule that was accepted, or the first one. It never grows. When
// candidate() returns nullopt, leaving out any single choice of turns() was tried and rejected.
//
// Cost: for n choices: about 2n candidates if every choice is needed, and of order n*n in the worst case.
// Each candidate is copied.
//
// Source: Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing Input, IEEE TSE 28(2), 2002: the
// reduction to complements of chunks whose size is halved. Late chunks are left out first.
#pragma once

#include <optional>

#include "reex/replay/trials.h"

namespace reex {

class TurnReduction {
public:
  explicit TurnReduction(Turns turns);

  // The next schedule to try; nullopt: no single choice can be left out.
  std::optional<Turns> candidate() const;
  // The candidate still fails. `executed` are the choices that its execution made, which may be even fewer.
  // If they are not fewer than turns(), the candidate counts as rejected.
  void accept(Turns executed);
  void reject();

  const Turns& turns() const { return m_turns; } // the smallest schedule so far

private:
  void next_pass();

  Turns m_turns;
  std::size_t m_chunk;
  std::size_t m_end; // the end of the chunk to leave out; it moves from the last choice to the first
  bool m_accepted = false;
};

} // namespace reex
