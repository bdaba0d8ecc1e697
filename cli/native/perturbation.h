// How a run of a command is disturbed from outside, so that its threads and processes get their turns
// otherwise than before: the CPUs that it may use, its niceness, and processes that compete with it. Nothing
// of this needs the command's help.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace reex {

struct Perturbation {
  std::vector<int> cpus; // on which the run and its load are; never empty
  int niceness = 0;      // added to that of reex
  unsigned load = 0;     // processes that compute beside it
  unsigned burst_us = 0; // how long they compute before they sleep as long; 0: without a pause

  bool none(std::size_t all_cpus) const { return cpus.size() == all_cpus && niceness == 0 && load == 0; }
};

// Depends on the arguments alone: the same sequence for the same seed and the same CPUs. The first run is not
// disturbed.
Perturbation perturbation(std::uint64_t seed, std::uint64_t run, const std::vector<int>& cpus);

// "on CPU 1 of 2, niceness +7, 3 busy processes"
std::string perturbation_text(const Perturbation& one, std::size_t all_cpus);

// The CPUs that this process may use.
std::vector<int> usable_cpus();

} // namespace reex
