// Programs for tests of the search, without real threads. A thread is a list of events, and an execution is a
// sequence of threads.
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
  // Whether the event is enabled, from the threads' progress (their executed events); null: always. A thread
  // whose event is not enabled waits.
  std::function<bool(const std::vector<unsigned>&)> enabled = nullptr;
  // While this is true, the event is executed without progress: a loop that reex does not recognize.
  std::function<bool(const std::vector<unsigned>&)> again = nullptr;
  bool yields = false;
  bool unseen = false; // the fingerprint does not contain the object
  bool spins = false;  // the thread is put back if it comes here without a switch: then nothing has changed
};

// Thread 0 first creates the other threads, and then executes its own events; usually it has none.
using Toy = std::vector<std::vector<ToyEvent>>;

// How an execution ended.
struct ToyEnd {
  bool cut = false; // the reduction has cut it short
  ExecutionResult result = {};
  std::string outcome; // the order of writes, and what was read
};

Toy independent(std::vector<unsigned> events); // each event on an object of its own
std::vector<ToyEvent> accesses(unsigned count, std::uint64_t object);

// Runs the search over a toy, as a worker does.
class ToySearch {
public:
  ToySearch(Toy toy, const SearchConfig& config);
  // One of several workers. `shared` is the memory of the first one.
  ToySearch(Toy toy, ControlMemory& shared, ControlMemory& own);

  // The thread numbers of the next execution, one digit for each event; "" if nothing is left. An execution
  // that is longer than `most` is cut off.
  std::string next(std::size_t most = 100000);
  // The same; `counts` becomes whether the search counts the execution, as one of several shards.
  std::string next(bool* counts, std::uint64_t max_schedules = 0);
  // Makes one execution, or makes again the one that was interrupted, and counts it in its own memory. False
  // if nothing is left.
  bool work();
  // work() in two steps: between them other workers may work. False: nothing is left, or nothing can be begun
  // now.
  bool begin();
  // `fails`: the execution under way fails, which limits the search to what comes first. Returns the
  // execution.
  std::string finish(const std::function<bool(const std::string&)>& fails);
  // Like next(), but throws the execution away when half of it is done, and makes it again.
  std::string next_at_second_try();

  // The end of the last execution. With a reduction, next() and work() reduce by a fingerprint of the events.
  const ToyEnd& end() const { return m_end; }
  bool was_audit() const { return m_was_audit; }

  Search& search() { return *m_search; }
  const SearchState& state() const { return *m_state; }

private:
  std::string execute(std::size_t most);
  Search::Next find_next(std::uint64_t max_schedules = 0);
  void conclude();

  Toy m_toy;
  ControlMemory m_memory;
  ControlMemory* m_own = &m_memory;
  const SearchState* m_state = nullptr;
  std::unique_ptr<Search> m_search;
  ToyEnd m_end;
  bool m_was_audit = false;
};

} // namespace reex::search_test
