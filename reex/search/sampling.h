// The strategies that sample: each execution is drawn by itself, repeats included, and nothing is claimed of
// what is left. A sampler is a row of functions; what it remembers lies in shared memory, without pointers,
// so that it outlives a worker.
//
// Called as the search is: by one process at a time. Every draw comes from the seed and the number of the
// execution; what earlier executions taught (their lengths, who did what) only changes what a draw means.
// Freestanding.
#pragma once

#include <cstdint>

#include "reex/search/search.h"

namespace reex {

// After so many choices a sampler does not insist: a thread may be in a loop that nobody sees, and wait for
// one that is not let run.
inline constexpr std::uint32_t k_patience = 1000;

// What a sampler works on.
struct Sampling {
  const SearchConfig& config;
  SamplingState& state;
  UndoLog& undo_log; // what is taught at an execution's end is written down here before

  std::uint64_t draw();
  std::uint64_t below(std::uint64_t limit) { return draw() % limit; } // limit: 1 or more

  // A random priority for the thread, above all those that are given for a reason.
  void draw_priority(std::uint16_t thread);
  // The enabled thread of the highest priority, as an index.
  unsigned highest(const Event* enabled, unsigned count) const;
  // Threads that have been passed over for long draw their priority anew: it may be so low that they would
  // never run.
  void pass_over(const Event* enabled, unsigned count, unsigned chosen);
};

struct Sampler {
  bool wants_events;
  // An execution begins, with the main thread alone. Null, here and below: nothing to be done.
  void (*begin)(Sampling&);
  // Which of two or more enabled threads executes its pending event. `enabled` is null for a sampler that
  // wants no events. Choices that are not of a thread (who is woken) are drawn evenly.
  unsigned (*pick)(Sampling&, const Event* enabled, unsigned count);
  // A thread executes its event, whether it was picked or nobody else was enabled.
  void (*executed)(Sampling&, const Event&);
  // A thread yields, sleeps, or begins to spin.
  void (*gave_way)(Sampling&, std::uint16_t thread);
  // A thread was created.
  void (*created)(Sampling&, std::uint16_t parent, std::uint16_t child);
  // The execution has come to its end: what it teaches.
  void (*ended)(Sampling&);
};

extern const Sampler k_random;
extern const Sampler k_pct;
extern const Sampler k_pos;
extern const Sampler k_urw;
extern const Sampler k_surw;

} // namespace reex
