// The reader of the record "unexplored" (reex/shared/unexplored.h).
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "reex/shared/unexplored.h"

namespace reex {

struct UnexploredCopy {
  bool outside = false;
  bool shared_memory = false;
  bool child_threads = false;
  std::string changed_file; // "": none
  std::set<std::uint64_t> loops;
  std::set<std::uint64_t> sleeps;
  std::set<std::uint64_t> timed;
  std::set<std::uint64_t> guards;
  std::set<std::uint64_t> stuck;
  std::set<std::uint64_t> wakes;
  std::set<std::uint64_t> clocks;
  std::set<std::uint64_t> processors;
  std::set<std::uint64_t> random;
  std::set<std::uint64_t> loads;
  std::set<std::uint64_t> atomics;
  std::set<std::uint64_t> exempted;
  std::set<std::uint64_t> exchanges;
  std::set<std::uint64_t> exchanges_beside_others;
};

UnexploredCopy read_unexplored(const Unexplored& shared);

} // namespace reex
