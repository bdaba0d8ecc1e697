#include "tests/model/model.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

namespace reex::model {
namespace {

constexpr int k_spuriously = -1;

// A choice: the thread that runs and the alternative of its operation, or k_spuriously if it wakes up from
// its wait; or, with thread -1, the deadline that expires.
struct Choice {
  int thread;
  int alternative;
  unsigned cost;
};

std::vector<Choice> choices(const Machine& machine, int last) {
  std::vector<Choice> result;
  if (machine.time_alternatives() > 1) {
    for (int i = 0; i < machine.time_alternatives(); ++i) result.push_back({-1, i, 0});
    return result;
  }
  for (const int thread : machine.enabled()) {
    const bool preempts =
        thread != machine.in_turn(last) && machine.is_enabled(last) && !machine.leaving_is_free(last);
    for (int i = 0; i < machine.alternatives(thread); ++i) result.push_back({thread, i, preempts ? 1U : 0U});
  }
  if (result.empty()) result.push_back({-1, 0, 0});
  for (const int thread : machine.may_wake_spuriously()) result.push_back({thread, k_spuriously, 1});
  return result;
}

int take(Machine& machine, int last, const Choice& choice) {
  if (choice.thread < 0) {
    machine.choose_time(choice.alternative);
    return last;
  }
  if (choice.alternative == k_spuriously)
    machine.wake_spuriously(choice.thread);
  else
    machine.step(choice.thread, choice.alternative);
  return choice.thread;
}

std::string node_key(const Machine& machine, int last) {
  return static_cast<char>('0' + last) + machine.key();
}

std::uint64_t saturating_sum(std::uint64_t left, std::uint64_t right) {
  return right > std::numeric_limits<std::uint64_t>::max() - left ? std::numeric_limits<std::uint64_t>::max()
                                                                  : left + right;
}

void accumulate(std::vector<std::uint64_t>& into, const std::vector<std::uint64_t>& counts, unsigned cost) {
  if (into.size() < counts.size() + cost) into.resize(counts.size() + cost);
  for (std::size_t i = 0; i < counts.size(); ++i) into[i + cost] = saturating_sum(into[i + cost], counts[i]);
}

class Counter {
public:
  explicit Counter(std::size_t max_states) : m_max_states(max_states) {}

  const std::vector<std::uint64_t>& count(const Machine& machine, int last) {
    const std::string key = node_key(machine, last);
    if (const auto known = m_counts.find(key); known != m_counts.end()) return known->second;
    if (m_counts.size() >= m_max_states) throw TooLarge("too many states to count schedules");
    std::vector<std::uint64_t> result;
    if (machine.ended()) {
      result.push_back(machine.outcome() == k_stuck ? 0 : 1); // outside of the schedule
    } else {
      for (const Choice& choice : choices(machine, last)) {
        Machine next = machine;
        const int runs = take(next, last, choice);
        accumulate(result, count(next, runs), choice.cost);
      }
    }
    return m_counts.emplace(key, std::move(result)).first->second;
  }

private:
  std::size_t m_max_states;
  std::unordered_map<std::string, std::vector<std::uint64_t>> m_counts; // references stay valid
};

// From which states an execution can come to its end.
class Ways {
public:
  void add(const std::string& from, const std::string& to) { m_into[to].push_back(from); }
  void add_end(const std::string& state) { reach(state); }
  void go_back_from_ends() {
    while (!m_open.empty()) {
      const std::string state = std::move(m_open.back());
      m_open.pop_back();
      for (const std::string& before : m_into[state]) reach(before);
    }
  }
  bool may_end(const std::string& state) const { return m_may_end.contains(state); }

private:
  void reach(const std::string& state) {
    if (m_may_end.insert(state).second) m_open.push_back(state);
  }

  std::unordered_map<std::string, std::vector<std::string>> m_into;
  std::unordered_set<std::string> m_may_end;
  std::vector<std::string> m_open;
};

void keep_fewest(Outcomes& outcomes, const Outcome& outcome, unsigned preemptions) {
  const auto [place, added] = outcomes.emplace(outcome, preemptions);
  if (!added) place->second = std::min(place->second, preemptions);
}

} // namespace

Outcomes explore(const Program& program, Reading reading, std::size_t max_states) {
  struct Node {
    Machine machine;
    int last;
    unsigned preemptions;
  };
  Outcomes outcomes;
  std::unordered_map<std::string, unsigned> fewest;
  Ways ways;
  std::deque<Node> frontier;
  frontier.push_back({Machine(program, reading), 0, 0});
  fewest.emplace(node_key(frontier.front().machine, 0), 0);
  while (!frontier.empty()) {
    const Node node = std::move(frontier.front());
    frontier.pop_front();
    if (fewest.at(node_key(node.machine, node.last)) < node.preemptions) continue;
    if (node.machine.ended()) {
      keep_fewest(outcomes, node.machine.outcome(), node.preemptions);
      if (!program.orderings.empty() && node.machine.obeys_schedule())
        keep_fewest(outcomes, k_satisfied, node.preemptions);
      ways.add_end(node_key(node.machine, node.last));
      continue;
    }
    for (const Choice& choice : choices(node.machine, node.last)) {
      Node next{node.machine, node.last, node.preemptions + choice.cost};
      next.last = take(next.machine, node.last, choice);
      ways.add(node_key(node.machine, node.last), node_key(next.machine, next.last));
      const auto [known, added] = fewest.emplace(node_key(next.machine, next.last), next.preemptions);
      if (!added && known->second <= next.preemptions) continue;
      known->second = next.preemptions;
      if (fewest.size() > max_states) throw TooLarge("too many states");
      if (choice.cost == 0) {
        frontier.push_front(std::move(next));
      } else {
        frontier.push_back(std::move(next));
      }
    }
  }
  ways.go_back_from_ends();
  for (const auto& [key, preemptions] : fewest)
    if (!ways.may_end(key)) keep_fewest(outcomes, k_livelock, preemptions);
  return outcomes;
}

std::vector<std::uint64_t> count_schedules(const Program& program, Reading reading, std::size_t max_states) {
  return Counter(max_states).count(Machine(program, reading), 0);
}

Enumeration enumerate(const Program& program, Reading reading, std::uint64_t max_schedules) {
  struct Branch {
    std::size_t taken;
    std::size_t of;
  };
  Enumeration result;
  std::vector<Branch> path;
  std::uint64_t schedules = 0;
  do {
    if (++schedules > max_schedules) throw TooLarge("too many schedules to enumerate");
    Machine machine(program, reading);
    int last = 0;
    unsigned preemptions = 0;
    for (std::size_t depth = 0; !machine.ended(); ++depth) {
      const std::vector<Choice> possible = choices(machine, last);
      if (depth == path.size()) path.push_back({0, possible.size()});
      const Choice& choice = possible[path[depth].taken];
      preemptions += choice.cost;
      last = take(machine, last, choice);
    }
    keep_fewest(result.outcomes, machine.outcome(), preemptions);
    if (result.schedules.size() <= preemptions) result.schedules.resize(preemptions + 1);
    ++result.schedules[preemptions];
    while (!path.empty() && path.back().taken + 1 == path.back().of) path.pop_back();
    if (!path.empty()) ++path.back().taken;
  } while (!path.empty());
  return result;
}

Outcomes within(const Outcomes& outcomes, unsigned bound) {
  Outcomes result;
  for (const auto& [outcome, preemptions] : outcomes)
    if (preemptions <= bound) result.emplace(outcome, preemptions);
  return result;
}

std::string to_text(const Outcomes& outcomes) {
  std::ostringstream out;
  for (const auto& [outcome, preemptions] : outcomes)
    out << "expect " << preemptions << ' ' << outcome.status() << ' '
        << (outcome.output.empty() ? "-" : escape(outcome.output)) << '\n';
  return out.str();
}

} // namespace reex::model
