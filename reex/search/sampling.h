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

// Of one execution, or of all of a run.
struct Sampling {
  const SearchConfig& config;
  SamplingState& state;

  std::uint64_t draw();
  std::uint64_t below(std::uint64_t limit) { return draw() % limit; } // limit: 1 or more
};

struct Sampler {
  // An execution begins, with the main thread alone. Null, here and below: nothing to be done.
  void (*begin)(Sampling&);
  // Which of two or more enabled threads executes its pending event. Choices that are not of a thread (who is
  // woken) are drawn evenly.
  unsigned (*pick)(Sampling&, const Event* enabled, unsigned count);
  // A thread executes its event, whether it was picked or nobody else was enabled.
  void (*executed)(Sampling&, const Event&);
  // A thread was created.
  void (*created)(Sampling&, std::uint16_t parent, std::uint16_t child);
  // The execution has come to its end: what it teaches.
  void (*ended)(Sampling&);
};

extern const Sampler k_random;

} // namespace reex
