#include "tests/search/toy.h"

#include <algorithm>
#include <functional>
#include <map>

#include "reex/search/mix.h"
#include "reex/shared/control.h"

namespace reex::search_test {
namespace {

// As order/fingerprint.h: a hash of each thread's history, with the accesses on which its events depend.
class ToyFingerprint {
public:
  explicit ToyFingerprint(std::size_t threads) : m_history(threads, 1) {}

  void execute(std::uint16_t thread, const ToyEvent& event) {
    m_history[thread] = after(thread, event);
    if (event.unseen) return;
    Object& object = m_objects[event.object];
    if (event.writes)
      object = {.write = m_history[thread]};
    else
      object.reads += m_history[thread];
  }
  StateKey state() const { return key(0); }
  StateKey step(std::uint16_t thread) const { return key(thread + 1U); }
  StateKey state_after(std::uint16_t thread, const ToyEvent& event) const {
    ToyFingerprint other = *this;
    other.m_history[thread] = after(thread, event);
    return other.state();
  }

private:
  struct Object {
    std::uint64_t write = 0;
    std::uint64_t reads = 0;
  };

  std::uint64_t after(std::uint16_t thread, const ToyEvent& event) const {
    const std::uint64_t history = mix(~m_history[thread]); // it may be the object's last write
    const auto found = m_objects.find(event.object);
    const Object object = event.unseen || found == m_objects.end() ? Object{} : found->second;
    return mix(history ^ mix(event.object ^ object.write)) ^ (event.writes ? mix(object.reads) : 0);
  }
  StateKey key(std::uint64_t thread) const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < m_history.size(); ++i) sum += mix(m_history[i] ^ mix(i));
    return {mix(sum ^ thread) | 1, mix(mix(sum) ^ thread)};
  }

  std::vector<std::uint64_t> m_history;
  std::map<std::uint64_t, Object> m_objects;
};

} // namespace

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
  m_state = &m_memory->search;
  m_search = std::make_unique<Search>(m_memory->config.search, m_memory->search, m_memory->frontier,
                                      m_memory->own, m_memory->frontier, m_memory->plan.list);
}

ToySearch::ToySearch(Toy toy, ControlMemory& shared, ControlMemory& own)
    : m_toy(std::move(toy)), m_own(&own), m_state(&shared->search) {
  m_search = std::make_unique<Search>(own->config.search, shared->search, shared->frontier, own->own,
                                      own->frontier, own->plan.list);
}

bool ToySearch::work() {
  ControlBlock& own = **m_own;
  if (own.own.run.learning) {
    m_search->again();
  } else {
    const Search::Next next = find_next();
    if (next == Search::Next::outdated) {
      own.own.round = m_state->round;
      return true;
    }
    if (next == Search::Next::wait) give_way();
    if (next != Search::Next::schedule) return next == Search::Next::wait;
  }
  execute(100000);
  Locked locked(m_search->lock(), own.own.index, Locked::k_later);
  const Transaction whole(own.frontier.undo_log);
  auto& counter = m_end.cut              ? own.status.pruned
                  : m_search->is_audit() ? own.status.audited
                                         : own.status.schedules;
  own.frontier.undo_log.save(counter);
  counter.fetch_add(1);
  locked.take();
  conclude();
  return true;
}

bool ToySearch::begin() { return find_next() == Search::Next::schedule; }

std::string ToySearch::finish(const std::function<bool(const std::string&)>& fails) {
  const std::string execution = execute(100000);
  const Locked locked(m_search->lock(), (*m_own)->own.index);
  const Transaction whole((*m_own)->frontier.undo_log);
  if (!m_end.cut && fails(execution)) m_search->limit_to_this(false);
  conclude();
  return execution;
}

std::string ToySearch::next(std::size_t most) {
  if (find_next() != Search::Next::schedule) return "";
  const std::string execution = execute(most);
  conclude();
  return execution;
}

Search::Next ToySearch::find_next(std::uint64_t max_schedules) {
  Search::Next next = m_search->next(max_schedules);
  if (next != Search::Next::round_over) return next;
  {
    const Locked locked(m_search->lock(), (*m_own)->own.index);
    if (m_search->is_outdated()) return Search::Next::outdated;
    m_search->drop_frontier();
    m_search->start_over();
  }
  return m_search->next(max_schedules);
}

// Under the search's lock where several workers share it.
void ToySearch::conclude() {
  const Transaction whole((*m_own)->frontier.undo_log);
  m_was_audit = m_search->is_audit();
  if (!m_end.cut && !m_search->agrees(m_end.result)) m_search->refute(true);
  m_search->commit(!m_end.cut);
}

std::string ToySearch::next(bool* counts, std::uint64_t max_schedules) {
  if (find_next(max_schedules) != Search::Next::schedule) return "";
  const std::string execution = execute(100000);
  *counts = m_search->counts();
  conclude();
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
  const bool reducing = (*m_own)->config.search.reduction != Reduction::none;
  ToyFingerprint fingerprint(m_toy.size());
  std::map<std::uint64_t, std::string> writes; // by object
  std::map<unsigned, std::string> reads;       // by thread
  m_end = {};
  std::uint16_t current = 0;
  std::uint32_t hash = 0;
  bool spun = false;
  bool polls = false; // the current thread has been here before
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
    const bool leaving_is_free = current_first && pending(current).yields;
    const bool looking = reducing && !m_search->is_refuted() && m_search->is_beyond_plan() &&
                         (threads.size() > 1 || !current_first);
    std::vector<Step> steps(m_toy.size());
    if (looking) {
      m_search->reached(fingerprint.state(), threads.size() > 1 && current_first && !leaving_is_free);
      for (std::size_t i = 0; i < threads.size(); ++i)
        steps[i] = {fingerprint.step(threads[i]), fingerprint.state_after(threads[i], pending(threads[i]))};
      m_end.cut = threads.size() == 1 && m_search->is_known(steps[0].taken);
      if (m_end.cut) break;
    }
    unsigned rank = 0;
    if (threads.size() > 1)
      rank = m_search->choose({.kind = ChoiceKind::run,
                               .count = static_cast<unsigned>(threads.size()),
                               .thread = threads.data(),
                               .bits = bits.data(),
                               .current_first = current_first,
                               .leaving_is_free = leaving_is_free,
                               .step = static_cast<std::uint32_t>(execution.size()),
                               .hash = hash,
                               .events = events.data(),
                               .steps = looking ? steps.data() : nullptr,
                               .polls = current_first && polls});
    if (rank == Search::k_diverged) return "diverged";
    m_end.cut = rank == Search::k_pruned;
    if (m_end.cut) break;
    spun = spun || (rank == 0 && current_first && pending(current).spins);
    current = threads[rank];
    if (m_search->wants_events()) {
      m_search->executed(events[rank]);
      if (pending(current).yields) m_search->gave_way(current);
    }
    execution += static_cast<char>('0' + current);
    hash = hash * 0x01000193u ^ current;
    fingerprint.execute(current, pending(current));
    if (std::string& order = writes[pending(current).object]; pending(current).writes)
      order += static_cast<char>('0' + current);
    else
      reads[current] += order + '|';
    polls = pending(current).again != nullptr && pending(current).again(done);
    if (!polls) ++done[current];
  }
  for (const auto& [object, threads] : writes) m_end.outcome += threads + ' ';
  for (const auto& [thread, seen] : reads) m_end.outcome += seen + ' ';
  const std::uint64_t outcome = std::hash<std::string>()(m_end.outcome);
  if (reducing) m_end.result = {fingerprint.state(), {outcome, mix(outcome)}, spun};
  return execution;
}

} // namespace reex::search_test
