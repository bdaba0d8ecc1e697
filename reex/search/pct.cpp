// Probabilistic concurrency testing.
//
// 1. Each of n threads has a random priority above d.
// 2. d - 1 change points are drawn evenly from the k steps of an execution.
// 3. The enabled thread with the highest priority runs.
// 4. At change point i, the priority of the thread that is about to make the step becomes i.
//
// An execution finds a bug of depth d with a probability of at least 1 / (n k^(d-1)). A step is a choice
// between two or more threads. k is the highest number of steps in any execution so far. The first execution
// only finds k: it has no change points.
//
// Strict priorities starve a thread that a loop waits for. So a thread that gives way, or that is chosen very
// often in a row, gets a priority below all others. The paper's guarantee does not cover such executions.
//
// Source: S. Burckhardt, P. Kothari, M. Musuvathi and S. Nagarakatte, "A Randomized Scheduler with
// Probabilistic Guarantees of Finding Bugs", ASPLOS 2010.
#include "reex/search/sampling.h"

namespace reex {
namespace {

void fall_below_all(Sampling& sampling, std::uint16_t thread) {
  sampling.state.priority[thread] = --sampling.state.pct.lowest;
}

void begin(Sampling& sampling) {
  PctState& pct = sampling.state.pct;
  pct.steps = 0;
  pct.lowest = 0;
  pct.streak = 0;
  sampling.draw_priority(0);                               // step 1
  for (unsigned i = 0; i + 1 < sampling.config.depth; ++i) // step 2
    pct.change_point[i] = pct.longest == 0 ? 0 : 1 + sampling.below(pct.longest);
}

void created(Sampling& sampling, std::uint16_t, std::uint16_t child) { sampling.draw_priority(child); }

unsigned pick(Sampling& sampling, const Event* enabled, unsigned count) {
  PctState& pct = sampling.state.pct;
  ++pct.steps;
  unsigned best = sampling.highest(enabled, count); // step 3
  for (unsigned i = 0; i + 1 < sampling.config.depth; ++i) {
    if (pct.change_point[i] != pct.steps) continue;
    sampling.state.priority[enabled[best].thread] = i + 1; // step 4
    best = sampling.highest(enabled, count);
  }
  pct.streak = enabled[best].thread == pct.last ? pct.streak + 1 : 1;
  pct.last = enabled[best].thread;
  if (pct.streak <= k_patience) return best;
  pct.streak = 0;
  fall_below_all(sampling, enabled[best].thread);
  return sampling.highest(enabled, count);
}

void ended(Sampling& sampling) {
  PctState& pct = sampling.state.pct;
  if (!sampling.learns()) return;
  sampling.undo_log.save(pct.longest);
  if (pct.steps > pct.longest) pct.longest = pct.steps;
}

} // namespace

const Sampler k_pct = {.wants_events = true,
                       .begin = begin,
                       .pick = pick,
                       .executed = nullptr,
                       .gave_way = fall_below_all,
                       .created = created,
                       .ended = ended};

} // namespace reex
