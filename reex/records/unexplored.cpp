#include "reex/records/unexplored.h"

#include "reex/records/checked.h"

namespace reex {
namespace {

constexpr Checked k_checked("unexplored");

std::set<std::uint64_t> places(const PlaceSet& shared) {
  std::set<std::uint64_t> copy;
  for (const std::uint64_t& place : shared.place)
    if (const std::uint64_t address = fetch(place); address != 0) copy.insert(address);
  return copy;
}

} // namespace

UnexploredCopy read_unexplored(const Unexplored& shared) {
  k_checked.flag(shared.weak_atomics, "the mark of weak atomics");
  return {.outside = k_checked.flag(shared.outside, "the mark of other processes"),
          .shared_memory = k_checked.flag(shared.shared_memory, "the mark of shared memory"),
          .child_threads = k_checked.flag(shared.child_threads, "the mark of threads of children"),
          .changed_file = k_checked.line(shared.changed_file, "the name of a changed file"),
          .loops = places(shared.loops),
          .sleeps = places(shared.sleeps),
          .timed = places(shared.timed),
          .guards = places(shared.guards),
          .stuck = places(shared.stuck),
          .wakes = places(shared.wakes),
          .clocks = places(shared.clocks),
          .processors = places(shared.processors),
          .random = places(shared.random),
          .loads = places(shared.loads),
          .atomics = places(shared.atomics),
          .exempted = places(shared.exempted),
          .exchanges = places(shared.exchanges),
          .exchanges_beside_others = places(shared.exchanges_beside_others)};
}

} // namespace reex
