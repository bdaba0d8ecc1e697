#include "impact/follow.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

#include "impact/analysis.h"

namespace reex::impact {
namespace {

// How a line follows. What is executed at another time has the values that it had, and who decides nothing
// else gives nothing on.
enum class How : std::uint8_t {
  later, // behind a wait that changed, or under a lock that did
  value, // it uses another value
  runs,  // it changed, or it is executed where it was not
};

constexpr int k_depth = 4; // of functions whose callers wait no more

// The number of functions whose callers are looked for in units that nothing else leads to: the first ones,
// which are next to the change.
constexpr std::size_t k_names = 4;

class Search {
public:
  Search(const std::vector<FileLines>& changes, const Program& now, const Program& before)
      : m_changes(changes), m_sides{&now, &before} {
    for (const bool old : {false, true})
      for (const auto& [file, facts] : *m_sides[old])
        for (const Call& call : facts.calls)
          m_calls[call.dependent ? call.name : call.usr].push_back({old, &file, call.line});
  }

  Followed run(const ChainedLines& from) {
    for (const auto& [file, lines] : from)
      for (const auto& [line, why] : lines) begin(false, file, line, why);
    for (const FileLines& change : m_changes)
      for (const unsigned line : change.removed)
        begin(true, change.old_path, line, {{"removed", "", change.old_path, line, true}});
    while (!m_pending.empty()) {
      const Place place = m_pending.front();
      m_pending.pop_front();
      step(place, State(m_states[place.old][place.file][place.line]));
    }
    for (const bool old : {false, true})
      for (const auto& [file, lines] : m_states[old])
        for (const auto& [line, state] : lines)
          if (!state.why.empty() && state.why.front().reason == "follows") tell(old, file, line, state.why);
    return std::move(m_followed);
  }

private:
  struct Place {
    bool old = false;
    std::string file;
    unsigned line = 0;
  };
  struct State {
    std::optional<How> how;
    Chain why;
    Chain root;
  };
  struct CallPlace {
    bool old;
    const std::string* file;
    unsigned line;
  };

  const FileFacts* facts_of(const Place& place) const {
    const auto found = m_sides[place.old]->find(place.file);
    return found == m_sides[place.old]->end() ? nullptr : &found->second;
  }

  void begin(bool old, const std::string& file, unsigned line, const Chain& why) {
    State& state = m_states[old][file][line];
    if (state.how == How::runs) return;
    state = {How::runs, why, why};
    m_pending.push_back({old, file, line});
  }

  void add(const Place& from, const State& by, unsigned line, How how) {
    add(from, by, {from.old, from.file, line}, how);
  }

  void add(const Place& from, const State& by, const Place& to, How how) {
    State& state = m_states[to.old][to.file][to.line];
    if (state.how && *state.how >= how) return;
    if (!state.how) {
      state.why = behind({"follows", "", from.file, from.line, from.old}, by.root);
      state.root = by.root;
    }
    state.how = how;
    m_pending.push_back(to);
  }

  void step(const Place& place, const State& state) {
    const FileFacts* facts = facts_of(place);
    if (facts == nullptr) return;
    for (const StatementLines& statement : facts->statements)
      if (statement.contains(place.line))
        for (const unsigned line : statement) add(place, state, line, *state.how);
    if (*state.how == How::later) return;
    for (const LocalValue& value : facts->values)
      if (value.set_on.contains(place.line)) follow_value(place, state, *facts, value);
    for (const Decision& decision : facts->decisions)
      if (decision.from <= place.line && place.line <= decision.to)
        add_all(place, state, decision.first, decision.last, How::runs);
    for (const Region& region : facts->regions)
      if (region.first <= place.line && place.line <= region.taken)
        add_all(place, state, region.first, region.last, How::later);
    const Function* function = function_at(*facts, place.line, false);
    if (function == nullptr) return;
    if (facts->results.contains(place.line)) returns_another(place, state, *function);
    if (*state.how == How::runs && facts->orders.contains(place.line)) {
      add_all(place, state, place.line, function->extent.end_line, How::later);
      orders_others(place, state, *function, 1);
    }
  }

  void add_all(const Place& from, const State& by, unsigned first, unsigned last, How how) {
    for (unsigned line = first; line <= last; ++line) add(from, by, line, how);
  }

  // The uses behind the line, and those before it in a loop that contains both.
  void follow_value(const Place& place, const State& state, const FileFacts& facts, const LocalValue& value) {
    unsigned first = place.line;
    for (const Decision& decision : facts.decisions)
      if (decision.first <= place.line && place.line <= decision.last && decision.first < first &&
          decision.loop)
        first = decision.first;
    for (auto line = value.used_on.lower_bound(first); line != value.used_on.end(); ++line)
      add(place, state, *line, How::value);
  }

  // Who calls the function, or one that it overrides, gets another value or object.
  void returns_another(const Place& place, const State& state, const Function& function) {
    if (function.usr.empty() || !m_returning.insert(function.usr).second) return;
    if (m_returning.size() <= k_names) m_followed.names.insert(name_of(function));
    for_callers(function, [&](const CallPlace& call) {
      add(place, state, {call.old, *call.file, call.line}, How::value);
    });
  }

  // Who calls the function goes on at another time.
  void orders_others(const Place& place, const State& state, const Function& function, int depth) {
    if (function.usr.empty() || !m_ordering.insert(function.usr).second) return;
    if (depth == 1) m_followed.names.insert(name_of(function));
    for_callers(function, [&](const CallPlace& call) {
      const Place at{call.old, *call.file, call.line};
      const Function* caller = function_at(*facts_of(at), call.line, false);
      if (caller == nullptr) return;
      for (unsigned line = call.line; line <= caller->extent.end_line; ++line)
        add(place, state, {call.old, *call.file, line}, How::later);
      if (depth < k_depth) orders_others(place, state, *caller, depth + 1);
    });
  }

  template <typename Use>
  void for_callers(const Function& function, const Use& use) const {
    std::set<std::string> called{function.usr, name_of(function)}; // a template knows the name only
    for (const Program* side : m_sides)
      for (const auto& [file, facts] : *side)
        for (const Shape& shape : facts.shapes)
          if (shape.usr == function.usr && shape.kind == Shape::Kind::declaration)
            called.insert(shape.overrides.begin(), shape.overrides.end());
    for (const std::string& name : called)
      if (const auto calls = m_calls.find(name); calls != m_calls.end())
        for (const CallPlace& call : calls->second) use(call);
  }

  static std::string name_of(const Function& function) {
    return function.method.substr(function.method.rfind(':') + 1);
  }

  void tell(bool old, const std::string& file, unsigned line, const Chain& why) {
    const auto change = std::find_if(m_changes.begin(), m_changes.end(), [&](const FileLines& one) {
      return (old ? one.old_path : one.new_path) == file;
    });
    if (!old || change == m_changes.end()) {
      m_followed.lines[file].try_emplace(line, why);
    } else if (const unsigned now = new_line_of(change->hunks, line); now != 0 && !change->new_path.empty()) {
      m_followed.lines[change->new_path].try_emplace(now, why);
    }
  }

  const std::vector<FileLines>& m_changes;
  const Program* m_sides[2];                             // the new one, the old one
  std::map<std::string, std::vector<CallPlace>> m_calls; // by usr, or by name where a template calls
  std::map<std::string, std::map<unsigned, State>> m_states[2];
  std::deque<Place> m_pending;
  std::set<std::string> m_returning; // usrs
  std::set<std::string> m_ordering;
  Followed m_followed;
};

} // namespace

Followed follow(const std::vector<FileLines>& changes, const Program& now, const Program& before,
                const ChainedLines& from) {
  return Search(changes, now, before).run(from);
}

} // namespace reex::impact
