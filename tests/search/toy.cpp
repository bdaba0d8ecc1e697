#include "tests/search/toy.h"

#include <algorithm>

#include "reex/shared/control.h"

namespace reex::search_test {

Toy independent(std::vector<unsigned> events) {
  Toy toy(events.size());
  std::uint64_t object = 1000;
  for (std::size_t thread = 0; thread < events.size(); ++thread)
    for (unsigned i = 0; i < events[thread]; ++i) toy[thread].push_back({.object = ++object});
  return toy;
}

std::vector<ToyEvent> accesses(unsigned count, std::uint64_t object) {
  return std::vector<ToyEvent>(count, ToyEvent{.object = object});
}

ToySearch::ToySearch(Toy toy, const SearchConfig& config) : m_toy(std::move(toy)) {
  m_memory->config.search = config;
  m_search = std::make_unique<Search>(m_memory->config.search, m_memory->search, m_memory->frontier,
                                      m_memory->own, m_memory->frontier, m_memory->plan.list);
}

ToySearch::ToySearch(Toy toy, ControlMemory& shared, ControlMemory& own)
    : m_toy(std::move(toy)), m_own(&own) {
  m_search = std::make_unique<Search>(own->config.search, shared->search, shared->frontier, own->own,
                                      own->frontier, own->plan.list);
}

bool ToySearch::work() {
  ControlBlock& own = **m_own;
  if (own.own.run.learning) {
    m_search->again();
  } else {
    const Search::Next next = m_search->next();
    if (next == Search::Next::wait) give_way();
    if (next != Search::Next::schedule) return next == Search::Next::wait;
  }
  execute(100000);
  Locked locked(m_search->lock(), own.own.index, Locked::k_later);
  const Transaction whole(own.frontier.undo_log);
  own.frontier.undo_log.save(own.status.schedules);
  own.status.schedules.fetch_add(1);
  locked.take();
  m_search->commit(true);
  return true;
}

std::string ToySearch::next(std::size_t most) {
  if (m_search->next() != Search::Next::schedule) return "";
  const std::string execution = execute(most);
  m_search->commit(true);
  return execution;
}

std::string ToySearch::next(bool* counts, std::uint64_t max_schedules) {
  if (m_search->next(max_schedules) != Search::Next::schedule) return "";
  const std::string execution = execute(100000);
  *counts = m_search->counts();
  m_search->commit(true);
  return execution;
}

std::string ToySearch::next_at_second_try() {
  if (m_search->next() != Search::Next::schedule) return "";
  execute(3);
  m_search->again();
  const std::string execution = execute(100000);
  m_search->commit(true);
  return execution;
}

std::string ToySearch::execute(std::size_t most) {
  std::string execution;
  std::vector<unsigned> done(m_toy.size());
  for (std::uint16_t thread = 1; thread < m_toy.size() && m_search->wants_events(); ++thread)
    m_search->created(0, thread);
  std::uint16_t current = 0;
  std::uint32_t hash = 0;
  while (execution.size() < most) {
    const auto pending = [&](std::uint16_t thread) -> const ToyEvent& { return m_toy[thread][done[thread]]; };
    const auto enabled = [&](std::uint16_t thread) {
      return done[thread] < m_toy[thread].size() &&
             (pending(thread).enabled == nullptr || pending(thread).enabled(done));
    };
    std::vector<std::uint16_t> threads;
    for (std::uint16_t thread = 0; thread < m_toy.size(); ++thread)
      if (enabled(thread)) threads.push_back(thread);
    if (threads.empty()) break;
    const bool current_first = enabled(current);
    if (current_first) {
      threads.erase(std::find(threads.begin(), threads.end(), current));
      threads.insert(threads.begin(), current);
    }
    std::vector<Event> events;
    std::vector<std::uint8_t> bits;
    for (const std::uint16_t thread : threads) {
      const ToyEvent& event = pending(thread);
      events.push_back(
          {.object = event.object, .thread = thread, .bits = event.bits, .writes = event.writes});
      bits.push_back(event.bits);
    }
    unsigned rank = 0;
    if (threads.size() > 1)
      rank = m_search->choose({.kind = ChoiceKind::run,
                               .count = static_cast<unsigned>(threads.size()),
                               .thread = threads.data(),
                               .bits = bits.data(),
                               .current_first = current_first,
                               .leaving_is_free = current_first && pending(current).yields,
                               .step = static_cast<std::uint32_t>(execution.size()),
                               .hash = hash,
                               .events = events.data()});
    if (rank == Search::k_diverged) return "diverged";
    current = threads[rank];
    if (m_search->wants_events()) {
      m_search->executed(events[rank]);
      if (pending(current).yields) m_search->gave_way(current);
    }
    execution += static_cast<char>('0' + current);
    hash = hash * 0x01000193u ^ current;
    if (pending(current).again == nullptr || !pending(current).again(done)) ++done[current];
  }
  return execution;
}

} // namespace reex::search_test
