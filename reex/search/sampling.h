// The strategies that sample. Each execution is drawn independently, schedules may repeat, and the strategy
// claims nothing about schedules that were not executed. A sampler is a row of functions.
//
// Callers: the search, in a worker. Freestanding.
//
// Thread safety: each worker has its own state. It lies in shared memory and has no pointers, so it outlives
// a worker.
//
// Invariants: every draw comes from the seed and the number of the execution. What earlier executions taught
// (their lengths, the operations of each thread) only changes what a draw means.
//
// Source: each sampler's file cites its paper.
#pragma once

#include <cstdint>

#include "reex/search/search.h"

namespace reex {

// At one choice of so many, a strategy that samples draws whether a suspected loop goes on, or something
// spurious happens. Such loops may execute thousands of operations, and there is such a choice wherever
// another thread could run.
inline constexpr std::uint64_t k_rarity = 4;

// After so many choices a sampler stops insisting on its draw: a thread may be in a loop that reex does not
// recognize, and wait for a thread that the sampler does not choose.
inline constexpr std::uint32_t k_patience = 1000;

// One sample of strategy auto in so many is patient: once a thread has polled twice in vain, it goes on alone
// until it leaves its loop by itself. Otherwise a lock that polls for a thousand turns before it blocks would
// block in no sample: the others would have to be passed over at each of the turns.
inline constexpr std::uint64_t k_patient_samples = 8;

// What a sampler works with.
struct Sampling {
  const SearchConfig& config;
  SamplingState& state;
  UndoLog& undo_log; // a sampler saves here what it changes at the end of an execution

  // Under strategy auto, a sample is drawn from what the first one taught, and teaches nothing. With a
  // profile of another run, all samples of the first round are drawn from that.
  bool learns() const { return state.taught_round == 0; }

  std::uint64_t draw();
  std::uint64_t below(std::uint64_t limit) { return draw() % limit; } // limit: 1 or more

  // Gives the thread a random priority, above all priorities that are set on purpose.
  void draw_priority(std::uint16_t thread);
  // The index of the enabled thread with the highest priority.
  unsigned highest(const Event* enabled, unsigned count) const;
  // Counts the threads that were not chosen. One that was passed over k_patience times draws a new priority,
  // because its priority may be so low that it would never run.
  void pass_over(const Event* enabled, unsigned count, unsigned chosen);
};

struct Sampler {
  bool wants_events;
  // An execution begins, with only the main thread. A null pointer, here and below, means: nothing to do.
  void (*begin)(Sampling&);
  // Returns which of two or more enabled threads executes its pending event. `enabled` is null if the sampler
  // wants no events. Other choices, such as who is woken, are drawn evenly without the sampler.
  unsigned (*pick)(Sampling&, const Event* enabled, unsigned count);
  // A thread executes its event, whether it was picked or was the only enabled one.
  void (*executed)(Sampling&, const Event&);
  // A thread yields, sleeps, or begins to spin.
  void (*gave_way)(Sampling&, std::uint16_t thread);
  // A thread was created.
  void (*created)(Sampling&, std::uint16_t parent, std::uint16_t child);
  // The execution has come to its end: the sampler learns from it.
  void (*ended)(Sampling&);
};

extern const Sampler k_random;
extern const Sampler k_pct;
extern const Sampler k_pos;
extern const Sampler k_urw;
extern const Sampler k_surw;

} // namespace reex
