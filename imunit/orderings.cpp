// The numbers are the lines of Figure 3.6. What differs from it:
// - lines 30 and 34: if there is no such event, there is no ordering.
// - line 31, 33: only what was done before the sleep's time was over is what the sleep waited for.
// - line 32: a thread is active if it has not ended before the SLEEP_CALL: what the sleep waits for may be
//   the thread's end (Figure 3.4, line 26). So is a thread that lives at the end of the log; a pool's
//   threads do not end.
// - line 36: OTHER_CALL does not count as an entry, as the text says (it is not logged there); and a join
// blocks
//   nobody whom an ordering means. A thread that has gone on before the event `after` is not blocked.
// - line 46: a thread's creation orders what its creator did before it and what it does itself. So an
//   ordering that the creation gives is no part of the schedule.
#include "imunit/orderings.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "imunit/graph.h"

namespace reex::inference {
namespace {

using Index = std::optional<std::size_t>;

Index next_event(const Log& log, std::size_t behind, int thread) {
  for (std::size_t n = behind + 1; n < log.size(); ++n)
    if (log[n].thread == thread && log[n].type == EntryType::event) return n;
  return {};
}

Index last_event(const Log& log, std::size_t before, int thread) {
  for (std::size_t n = before; n-- > 0;)
    if (log[n].thread == thread && log[n].type == EntryType::event) return n;
  return {};
}

// The threads with an event before `before` that have not ended before `after` (lines 31 and 32).
std::vector<int> active_threads(const Log& log, std::size_t after, std::size_t before) {
  std::set<int> active;
  for (std::size_t n = 0; n < before; ++n)
    if (log[n].type == EntryType::event) active.insert(log[n].thread);
  std::map<int, std::size_t> last_end;
  std::map<int, std::size_t> last_entry;
  for (std::size_t n = 0; n < log.size(); ++n) {
    last_entry[log[n].thread] = n;
    if (log[n].type == EntryType::th_end) last_end[log[n].thread] = n;
  }
  std::vector<int> result;
  for (const int thread : active) {
    const auto end = last_end.find(thread);
    if (end == last_end.end() || end->second > after || last_entry[thread] > end->second)
      result.push_back(thread);
  }
  return result;
}

// Whether the thread of the event blocks right behind it, and still does at `after` (line 36).
bool blocks(const Log& log, std::size_t event, std::size_t after) {
  bool blocked = false;
  for (std::size_t n = event + 1; n < after; ++n) {
    if (log[n].thread != log[event].thread || log[n].type == EntryType::other_call) continue;
    if (!blocked && (log[n].type != EntryType::block_call || log[n].info == k_join)) return false;
    if (log[n].type == EntryType::block_return) return false;
    blocked = true;
  }
  return blocked;
}

std::vector<Ordering> sleep_induced(const Log& log) { // lines 28 to 43
  std::vector<Ordering> result;
  for (std::size_t i = 0; i < log.size(); ++i) {
    if (log[i].type != EntryType::sleep_return || log[i].idle) continue;
    const int thread = log[i].thread;
    const Index j = next_event(log, i, thread); // line 30
    if (!j) continue;
    const std::size_t over = end_of_sleep(log, i);
    for (const int other : active_threads(log, sleep_call_of(log, i), over)) { // line 33
      const Index before = other == thread ? Index() : last_event(log, over, other);
      if (before) result.push_back({log[*before].info, log[*j].info, blocks(log, *before, *j)});
    }
  }
  return result;
}

// What follows from the order within each thread, and from creation (lines 50 to 54).
std::vector<std::pair<std::string, std::string>> sequential(const Log& log) {
  std::vector<std::pair<std::string, std::string>> result;
  for (std::size_t i = 0; i < log.size(); ++i) {
    if (log[i].type == EntryType::event) {
      if (const Index j = next_event(log, i, log[i].thread)) result.emplace_back(log[i].info, log[*j].info);
    } else if (log[i].type == EntryType::th_start) {
      const Index before = last_event(log, i, log[i].thread);
      const Index after = next_event(log, i, log[i].child);
      if (before && after) result.emplace_back(log[*before].info, log[*after].info);
    }
  }
  return result;
}

struct Occurrence {
  explicit Occurrence(const std::string& event)
      : name(event.substr(0, event.find('#'))),
        number(event.size() == name.size() ? 1 : std::stoul(event.substr(name.size() + 1))) {}
  std::string name;
  unsigned long number;
};

// "a#1" comes before "a#2", whoever issues them: "a#2->b" says that "a#1->b", and "b->a#1" that "b->a#2".
bool says(const Ordering& one, const Ordering& other) {
  if (one.blocking || other.blocking || one == other) return false;
  const Occurrence before(one.before);
  const Occurrence after(one.after);
  const Occurrence other_before(other.before);
  const Occurrence other_after(other.after);
  return before.name == other_before.name && before.number >= other_before.number &&
         after.name == other_after.name && after.number <= other_after.number;
}

} // namespace

std::string InferredOrderings::schedule() const {
  std::string text;
  for (const Ordering& ordering : orderings) text += (text.empty() ? "" : ", ") + ordering.text();
  return text;
}

InferredOrderings infer_orderings(const std::vector<Log>& logs, double confidence) {
  std::map<Ordering, unsigned> inferred; // in how many logs
  std::vector<Ordering> order;
  std::map<std::string, int> nodes;
  Graph graph;
  const auto node = [&](const std::string& event) {
    return nodes.emplace(event, static_cast<int>(nodes.size())).first->second;
  };
  for (const Log& raw : logs) { // lines 12 to 15
    const Log log = preprocessed(raw);
    std::set<Ordering> once;
    for (const Ordering& ordering : sleep_induced(log))
      if (once.insert(ordering).second && inferred[ordering]++ == 0) order.push_back(ordering);
    for (const auto& [before, after] : sequential(log)) graph.add(node(before), node(after));
  }
  InferredOrderings result;
  result.original = static_cast<unsigned>(order.size());
  Graph implied = graph;
  implied.remove_cycles();
  std::erase_if(order, [&](const Ordering& ordering) {
    const bool says_nothing = implied.reaches(node(ordering.before), node(ordering.after));
    if (says_nothing) result.implied.push_back(ordering);
    return says_nothing;
  });
  const std::vector<Ordering> all = order;
  std::erase_if(order, [&](const Ordering& ordering) {
    const bool follows =
        std::any_of(all.begin(), all.end(), [&](const Ordering& other) { return says(other, ordering); });
    if (follows) result.transitive.push_back(ordering);
    return follows;
  });
  for (const Ordering& ordering : order) graph.add(node(ordering.before), node(ordering.after)); // line 45
  const auto edge = [&](const Ordering& ordering) {
    return Graph::Edge(node(ordering.before), node(ordering.after));
  };
  const auto take = [&](const std::vector<Graph::Edge>& removed, std::vector<Ordering>& into) {
    const std::set<Graph::Edge> gone(removed.begin(), removed.end());
    std::erase_if(order, [&](const Ordering& ordering) {
      const bool is_gone = gone.count(edge(ordering)) != 0;
      if (is_gone) into.push_back(ordering);
      return is_gone;
    });
  };
  take(graph.remove_cycles(), result.on_cycles); // line 46
  take(graph.reduce(), result.transitive);
  for (const Ordering& ordering : order) { // lines 47 and 48
    const bool agreed = inferred[ordering] >= confidence * static_cast<double>(logs.size());
    (agreed ? result.orderings : result.low_confidence).push_back(ordering);
  }
  return result;
}

} // namespace reex::inference
