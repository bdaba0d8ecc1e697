// Programs for the search without threads: each thread is a list of events, an execution a sequence of
// threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "reex/process/control_memory.h"

namespace reex::search_test {

struct ToyEvent {
  std::uint64_t object = 0;
  bool writes = true;
  std::uint8_t bits = 0;
  // Of the threads' progress (events executed); none: always. A thread whose event is not enabled waits.
  std::function<bool(const std::vector<unsigned>&)> enabled = nullptr;
  // While this holds, the event is executed without progress: a loop that nobody sees.
  std::function<bool(const std::vector<unsigned>&)> again = nullptr;
  bool yields = false;
};

// Thread 0 creates the others before anything else and then does its own events, mostly none.
using Toy = std::vector<std::vector<ToyEvent>>;

Toy independent(std::vector<unsigned> events); // each event on an object of its own
std::vector<ToyEvent> accesses(unsigned count, std::uint64_t object);

// The search over a toy, as a worker drives it.
class ToySearch {
public:
  ToySearch(Toy toy, const SearchConfig& config);
  // One of several workers; `shared` is the first one's memory.
  ToySearch(Toy toy, ControlMemory& shared, ControlMemory& own);

  // Thread numbers, a digit for each event; "" when nothing is left. Longer than `most`: it is cut.
  std::string next(std::size_t most = 100000);
  // Also whether the search counts it, as one of several shards.
  std::string next(bool* counts, std::uint64_t max_schedules = 0);
  // One execution, begun anew if it was under way already, and counted in its own memory. False: nothing is
  // left.
  bool work();
  // The execution under way is thrown away at its half, and done again.
  std::string next_at_second_try();

  Search& search() { return *m_search; }
  const SearchState& state() const { return m_memory->search; }

private:
  std::string execute(std::size_t most);

  Toy m_toy;
  ControlMemory m_memory;
  ControlMemory* m_own = &m_memory;
  std::unique_ptr<Search> m_search;
};

} // namespace reex::search_test
