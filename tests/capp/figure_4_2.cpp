#include "figure_4_2.h"

#include <fstream>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

namespace reex::capp_test {
namespace {

struct Transition {
  unsigned preemptions;
  Path path;
  auto operator<=>(const Transition&) const = default; // preemptions first, then depth-first in default order
};

using Ranks = std::set<unsigned>;

// Lines 41-56. The match bits contain the results of the comparisons with the impacted code points.
Ranks match_icps(const Point& point, const Ranks& trans, const Heuristic& heuristic) {
  Ranks matches;
  for (const unsigned tran : trans)
    if ((point.bits[tran] & heuristic.mask) != 0) matches.insert(tran);
  return matches;
}

// Lines 32-40.
Ranks partition(const Point& point, const Ranks& trans, const Heuristic& heuristic) {
  if (heuristic.mode == PrioritizationMode::basic) return trans;
  const bool current_is_in = point.current && trans.contains(0);
  if (!current_is_in) return trans;
  const Ranks impacted = match_icps(point, trans, heuristic);
  if (heuristic.mode == PrioritizationMode::all) {
    if (impacted == trans) return trans;
    for (const unsigned tran : trans) // pickOne: the current thread (rank 0), else the lowest id
      if (!impacted.contains(tran)) return {tran};
  }
  if (!impacted.empty()) return trans;
  return {0};
}

} // namespace

Space read_log(const std::string& path) {
  Space space;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const nlohmann::json execution = nlohmann::json::parse(line);
    Path taken;
    for (const auto& choice : execution.at("choices")) {
      space.points[taken] = {.run = choice.at("kind") == "run",
                             .current = choice.at("current"),
                             .free = choice.at("free"),
                             .bits = choice.at("bits").get<std::vector<unsigned>>()};
      taken.push_back(choice.at("chosen"));
    }
    space.executed.push_back(taken);
  }
  return space;
}

// Lines 16-31, stateless: to execute a transition, its path is executed again, and then on to the end.
std::vector<Path> order_of(const Space& space, const Heuristic& heuristic, unsigned bound) {
  std::vector<Path> order;
  std::set<Transition> to_explore{{0, {}}};
  std::set<Transition> next_to_explore;
  while (!to_explore.empty()) {
    const Transition current = *to_explore.begin();
    to_explore.erase(to_explore.begin());
    Path path = current.path;
    unsigned preemptions = current.preemptions;
    for (auto found = space.points.find(path); found != space.points.end(); found = space.points.find(path)) {
      const Point& point = found->second;
      const auto cost = [&](unsigned rank) {
        return point.run && point.current && !point.free && rank != 0 ? 1u : 0u;
      };
      Ranks enabled;
      for (unsigned rank = 0; rank < point.bits.size(); ++rank)
        if (preemptions + cost(rank) <= bound) enabled.insert(rank); // line 23
      const Ranks prioritized = point.run ? partition(point, enabled, heuristic) : enabled;
      const unsigned go_on = *prioritized.begin();
      for (const unsigned rank : enabled) {
        if (rank == go_on) continue;
        Transition other{preemptions + cost(rank), path};
        other.path.push_back(rank);
        (prioritized.contains(rank) ? to_explore : next_to_explore).insert(std::move(other));
      }
      preemptions += cost(go_on);
      path.push_back(go_on);
    }
    order.push_back(path);
    if (to_explore.empty()) to_explore.swap(next_to_explore); // line 28
  }
  return order;
}

} // namespace reex::capp_test
