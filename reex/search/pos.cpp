// Partial order sampling.
//
// 1. Each pending event has a random priority.
// 2. The enabled event with the highest priority is executed.
// 3. Every other enabled event that races with it draws a new priority. Two events race if they are on the
//    same object and one of them writes.
//
// A thread with a very low priority may wait long. After a while it draws a new one.
//
// Source: X. Yuan, J. Yang and R. Gu, "Partial Order Aware Concurrency Sampling", CAV 2018.
#include "reex/search/sampling.h"

namespace reex {
namespace {

bool race(const Event& a, const Event& b) {
  return a.object != 0 && a.object == b.object && (a.writes || b.writes);
}

void begin(Sampling& sampling) { sampling.draw_priority(0); }

void created(Sampling& sampling, std::uint16_t, std::uint16_t child) { sampling.draw_priority(child); }

unsigned pick(Sampling& sampling, const Event* enabled, unsigned count) {
  const unsigned best = sampling.highest(enabled, count); // step 2
  sampling.pass_over(enabled, count, best);
  for (unsigned i = 0; i < count; ++i) // step 3
    if (i != best && race(enabled[i], enabled[best])) sampling.draw_priority(enabled[i].thread);
  return best;
}

void executed(Sampling& sampling, const Event& event) { sampling.draw_priority(event.thread); } // step 1

} // namespace

const Sampler k_pos = {.wants_events = true,
                       .begin = begin,
                       .pick = pick,
                       .executed = executed,
                       .gave_way = nullptr,
                       .created = created,
                       .ended = nullptr};

} // namespace reex
