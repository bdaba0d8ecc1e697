#include "impact/follow.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <tuple>
#include <utility>

#include "impact/analysis.h"
#include "impact/changed_jumps.h"
#include "impact/hiding_functions.h"
#include "impact/moved_lines.h"
#include "impact/own_locks.h"
#include "impact/program_index.h"

namespace reex::impact {
namespace {

// How a line follows. What is executed at another time has the values that it had, and who decides nothing
// else gives nothing on.
enum class How : std::uint8_t {
  later, // behind a wait that changed, or under a lock that did
  value, // it uses another value
  runs,  // it changed, or it is executed where it was not
};

constexpr int k_depth = 4;   // of functions whose callers wait no more
constexpr int k_setters = 2; // of functions that are called, and write fields

// The number of functions whose callers are looked for in units that nothing else leads to: the first ones,
// which are next to the change.
constexpr std::size_t k_names = 4;

class Search {
public:
  Search(const std::vector<FileLines>& changes, const Program& now, const Program& before,
         const LockingFunctions& locking, LineIndexes& lines)
      : m_changes(changes), m_sides{&now, &before}, m_index(now, before, locking, lines) {}

  Followed run(const ChainedLines& from) {
    for (const auto& [file, lines] : from)
      for (const auto& [line, why] : lines) begin(false, file, line, why);
    for (const FileLines& change : m_changes)
      for (const unsigned line : change.removed)
        begin(true, change.old_path, line, {{"removed", "", change.old_path, line, true}});
    for (const bool old : {false, true})
      for (const FileLines& change : m_changes)
        note_calls(old, old ? change.old_path : change.new_path, old ? change.removed : change.changed);
    follow_own_locks();
    follow_jumps();
    follow_moves();
    follow_hiding();
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
  using CallPlace = ProgramIndex::CallPlace;
  struct Place {
    bool old = false;
    std::string file;
    unsigned line = 0;
  };
  struct State {
    std::optional<How> how;
    Chain why;
    Chain root;
    bool direct = false; // no field is between the change and the line
  };
  const FileFacts* facts_of(const Place& place) const { return m_index.facts(place.old, place.file); }

  void begin(bool old, const std::string& file, unsigned line, const Chain& why) {
    State& state = m_states[old][file][line];
    if (state.how == How::runs) return;
    state = {How::runs, why, why, why.front().reason != "accessed"};
    m_pending.push_back({old, file, line});
  }

  void add(const Place& from, const State& by, unsigned line, How how) {
    add(from, by, {from.old, from.file, line}, how);
  }

  void add(const Place& from, const State& by, const Place& to, How how) {
    add(from, by, to, how, by.direct);
  }

  void add(const Place& from, const State& by, const Place& to, How how, bool direct) {
    State& state = m_states[to.old][to.file][to.line];
    if (state.how && *state.how >= how && state.direct >= direct) return;
    if (!state.how) {
      state.why = behind({"follows", "", from.file, from.line, from.old}, by.root);
      state.root = by.root;
    }
    state.how = std::max(state.how.value_or(how), how);
    state.direct = state.direct || direct;
    m_pending.push_back(to);
  }

  void step(const Place& place, const State& state) {
    const FileFacts* facts = facts_of(place);
    if (facts == nullptr) return;
    const LineIndex::Line& here = m_index.line(place.old, place.file, place.line);
    for (const StatementLines* statement : here.statements) follow_statement(place, state, here, *statement);
    if (*state.how == How::later) return follow_starts(place, state, *facts);
    for (const LocalValue* value : here.values) follow_value(place, state, here, *value);
    for (const Decision* decision : here.decisions)
      add_all(place, state, decision->first, decision->last, How::runs);
    for (const Region* region : here.regions)
      for (const unsigned line : region->lines()) add(place, state, line, How::later);
    for (const Region& region : m_index.regions_at(place.old, place.file, place.line))
      for (const unsigned line : region.lines()) add(place, state, line, How::later);
    if (state.direct)
      follow_writes(place, state, *facts, here);
    else if (*state.how == How::value || state.why.front().reason == "accessed")
      follow_copies(place, state, here);
    const Function* function = here.function;
    if (function == nullptr) return;
    if (facts->results.contains(place.line)) returns_another(place, state, *function);
    if (*state.how == How::runs && facts->throws.contains(place.line))
      leads_to_handlers(place, state, place, *function, 1);
    follow_starts(place, state, *facts);
    const bool changed = *state.how == How::value || state.why.front().reason != "follows";
    if (changed && facts->indirect.contains(place.line))
      add_all(place, state, place.line, function->extent.end_line, How::later);
    if (facts->half_regions.lower_bound({place.line, false, ""}) !=
        facts->half_regions.lower_bound({place.line + 1, false, ""}))
      locks_for_others(place, state, *function, 1);
    // The condition of a wait may be a lambda in the same line.
    const auto wait = facts->waits.find(place.line);
    if (wait == facts->waits.end() && (*state.how != How::runs || !facts->orders.contains(place.line)))
      return;
    if (wait != facts->waits.end() && wait->second > function->extent.end_line && here.named != nullptr)
      function = here.named;
    add_all(place, state, place.line, wait == facts->waits.end() ? function->extent.end_line : wait->second,
            How::later);
    orders_others(place, state, *function, 1);
  }

  // All lines of a statement follow from each of them, so once is enough.
  void follow_statement(const Place& place, const State& state, const LineIndex::Line& here,
                        const StatementLines& statement) {
    const std::tuple how(&statement, *state.how, state.direct);
    if (m_followed_statements.contains(how)) return;
    bool all = true;
    for (const unsigned line : statement) {
      const bool follows = state.direct || !is_of_another_member(here, line);
      if (follows) add(place, state, line, *state.how);
      all = all && follows;
    }
    if (all) m_followed_statements.insert(how);
  }

  // The members of an object are made in one statement, each from its own values.
  static bool is_of_another_member(const LineIndex::Line& here, unsigned other) {
    bool makes = false;
    for (const FieldWrite* write : here.writes) {
      if (!write->fresh) continue;
      if (write->first <= other && other <= write->last) return false;
      makes = true;
    }
    return makes;
  }

  void add_all(const Place& from, const State& by, unsigned first, unsigned last, How how) {
    for (unsigned line = first; line <= last; ++line) add(from, by, line, how);
  }

  // The uses behind the line, and those before it in a loop that contains both.
  void follow_value(const Place& place, const State& state, const LineIndex::Line& here,
                    const LocalValue& value) {
    unsigned first = place.line;
    for (const Decision* loop : here.loops) first = std::min(first, loop->first);
    for (auto line = value.used_on.lower_bound(first); line != value.used_on.end(); ++line)
      add(place, state, *line, How::value);
  }

  // What is written to fields on a line that changed or has another value, in functions that are called there
  // with other arguments, or in the branches of an `if` that changed, reaches who reads them. What is
  // executed or not for another reason does not count, nor does a field that is written because of another
  // one, unless an object is made there, or all of a program would follow from a few lines.
  void follow_writes(const Place& place, const State& state, const FileFacts& facts,
                     const LineIndex::Line& here) {
    const std::string& reason = state.why.front().reason;
    if (*state.how == How::runs && reason == "follows") return;
    for (const FieldWrite* write : here.writes) follow_field(place, state, write->field);
    if (reason == "changed" || reason == "removed")
      for (const Decision* decision : here.decisions)
        if (!decision->loop) follow_writes(place, state, facts, decision->to + 1, decision->body);
    for (auto call = facts.calls.lower_bound({place.line, 0, "", "", false});
         call != facts.calls.end() && call->line == place.line; ++call) {
      const bool is_new = (reason == "changed" && !m_called[true].contains(key_of(*call))) ||
                          (reason == "removed" && !m_called[false].contains(key_of(*call)));
      follow_setter(place, state, *call, is_new, 1);
    }
  }

  // An object that is made gets its own copy of the field, as of a setting. Objects are made from few fields,
  // so this leads on as often as it is done.
  void follow_copies(const Place& place, const State& state, const LineIndex::Line& here) {
    for (const FieldWrite* write : here.writes)
      if (write->fresh) follow_field(place, state, write->field);
  }

  void follow_writes(const Place& place, const State& state, const FileFacts& facts, unsigned first,
                     unsigned last) {
    for (const FieldWrite& write : facts.writes) {
      if (write.first > last) break;
      if (first <= write.last) follow_field(place, state, write.field);
    }
  }

  // `all`: the call is new or gone, so all that it writes is written or not. What a constructor writes is of
  // a new object, and has another value only because of an argument. The objects that a setter makes on its
  // way are values that it passes on: followed, they lead to all that uses their class.
  void follow_setter(const Place& place, const State& state, const Call& call, bool all, int depth) {
    if (!m_set.insert({key_of(call), all}).second) return;
    for (const auto& [old, file, function] : m_index.definitions(key_of(call))) {
      const FileFacts& facts = m_sides[old]->at(*file);
      const Extent& extent = function->extent;
      const bool makes = is_constructor(*function);
      if (depth > 1 && (makes || function->method.starts_with("operator"))) continue;
      const auto is_given = [&](unsigned first, unsigned last) {
        const auto line = facts.given.lower_bound(first);
        return (all && !makes) || (line != facts.given.end() && *line <= last);
      };
      for (const FieldWrite& write : facts.writes)
        if (extent.begin_line <= write.first && write.last <= extent.end_line && (makes || !write.fresh) &&
            is_given(write.first, write.last))
          follow_field(place, state, write.field);
      if (depth == k_setters) continue;
      for (auto inner = facts.calls.lower_bound({extent.begin_line, 0, "", "", false});
           inner != facts.calls.end() && inner->line <= extent.end_line; ++inner)
        if (is_given(inner->line, inner->line)) follow_setter(place, state, *inner, all, depth + 1);
    }
  }

  void follow_field(const Place& place, const State& state, const Field& field) {
    for (const auto& [old, file, line, read] : m_index.reads(field.name))
      if (old <= place.old && (read->any_class || field.any_class || *read == field))
        add(place, state, {old, *file, line}, How::value, false);
  }

  void note_calls(bool old, const std::string& file, const std::set<unsigned>& lines) {
    const auto facts = m_sides[old]->find(file);
    if (facts == m_sides[old]->end()) return;
    for (const Start& start : facts->second.starts)
      if (lines.contains(start.line)) m_called[old].insert(start.usr);
    for (const Call& call : facts->second.calls)
      if (lines.contains(call.line)) m_called[old].insert(key_of(call));
  }

  // Who calls the function, or one that it overrides, gets another value or object.
  void returns_another(const Place& place, const State& state, const Function& function) {
    if (function.usr.empty() || !m_returning.insert(function.usr).second) return;
    if (m_returning.size() <= k_names) m_followed.names.insert(name_of(function));
    const bool direct = state.direct && state.why.front().reason != "follows";
    const auto gets = [&](const CallPlace& call) {
      add(place, state, {call.old, *call.file, call.line}, How::value, direct);
    };
    m_index.for_callers(function, gets);
    m_index.for_callers_in_library(function, gets);
  }

  // What is thrown or not at that line of the function: its handlers run or not, here or in who calls the
  // function, and the code behind them goes on in another state, as without a lock that they release.
  void leads_to_handlers(const Place& place, const State& state, const Place& thrown,
                         const Function& function, int depth) {
    const Attempt* catches = nullptr; // the innermost one
    for (const Attempt& attempt : facts_of(thrown)->attempts)
      if (function.extent.begin_line <= attempt.first && attempt.first <= thrown.line &&
          thrown.line <= attempt.last)
        catches = &attempt;
    if (catches != nullptr) {
      for (unsigned line = catches->last; line <= function.extent.end_line; ++line)
        add(place, state, {thrown.old, thrown.file, line}, line <= catches->end ? How::runs : How::later);
      return;
    }
    if (depth > k_depth || function.usr.empty() || !m_throwing.insert(function.usr).second) return;
    if (depth == 1) m_followed.names.insert(name_of(function));
    m_index.for_callers(function, [&](const CallPlace& call) {
      const Place at{call.old, *call.file, call.line};
      const Function* caller = m_index.line(at.old, at.file, at.line).function;
      if (caller != nullptr) leads_to_handlers(place, state, at, *caller, depth + 1);
    });
  }

  // A thread that is started or not, or with other arguments. What is handed to another function runs
  // elsewhere.
  void follow_starts(const Place& place, const State& state, const FileFacts& facts) {
    const std::string& reason = state.why.front().reason;
    for (auto start = facts.starts.lower_bound({place.line, ""});
         start != facts.starts.end() && start->line == place.line; ++start) {
      const bool all =
          start->handed || *state.how == How::later ||
          (*state.how == How::runs &&
           (reason == "follows" || (reason == "changed" && !m_called[true].contains(start->usr)) ||
            (reason == "removed" && !m_called[false].contains(start->usr))));
      for (unsigned line = start->first; line < start->last; ++line) add(place, state, line + 1, How::later);
      const auto& definitions = m_index.definitions(start->usr);
      if (definitions.empty() && !start->usr.empty() && m_started.size() < k_names) {
        m_started.insert(start->usr); // in a unit that is not parsed yet
        m_followed.names.insert(start->name);
      }
      for (const auto& [old, file, function] : definitions) {
        const std::set<unsigned>& given = m_sides[old]->at(*file).given;
        for (unsigned line = function->extent.begin_line; line <= function->extent.end_line; ++line)
          if (all || given.contains(line) || !function->class_name.empty()) // with another object
            add(place, state, {old, *file, line}, all ? How::later : How::value);
      }
    }
  }

  // Each thread has a lock of its own where all had one.
  void follow_own_locks() {
    for (const OwnRegion& one : regions_no_longer_shared(m_changes, *m_sides[false], *m_sides[true])) {
      const Place declared{true, one.declared_in, one.declared};
      State by;
      by.root = {{"removed", "", one.declared_in, one.declared, true}};
      for (const unsigned line : one.region.lines())
        add(declared, by, {one.old, one.file, line}, How::later, false);
    }
  }

  // What is behind a jump that is gone, or new.
  void follow_jumps() {
    for (const ChangedJump& jump : changed_jumps(m_changes, *m_sides[false], *m_sides[true])) {
      const Place place{jump.old, jump.file, jump.line};
      State by;
      by.root = {{jump.old ? "removed" : "changed", "", jump.file, jump.line, jump.old}};
      for (unsigned line = jump.line + 1; line <= jump.last; ++line) add(place, by, line, How::runs);
    }
  }

  void follow_moves() {
    for (const MovedLine& moved : moved_lines(m_changes, *m_sides[false], *m_sides[true])) {
      const Place place{false, moved.file, moved.line};
      State by;
      by.root = {{"changed", "", moved.file, moved.line}};
      add_all(place, by, moved.first, moved.last, How::later);
    }
  }

  // A template calls another function of that name, or locks by it.
  void follow_hiding() {
    for (const HidingFunction& one : hiding_functions(m_changes, *m_sides[false], *m_sides[true])) {
      const Place place{one.old, one.file, one.line};
      State by;
      by.root = {{one.old ? "removed" : "changed", "", one.file, one.line, one.old}};
      for (const CallPlace& call : m_index.calls(one.name))
        add(place, by, {call.old, *call.file, call.line}, How::value, false);
    }
  }

  // A guard calls the functions of its lock where it is declared.
  void follow_guards(const Place& place, const State& state, const Function& function) {
    m_index.for_guarded(function, [&](const CallPlace& at) {
      add(place, state, {at.old, *at.file, at.line}, How::later);
    });
  }

  // Who calls a function that takes a lock, or leaves it, has another region.
  void locks_for_others(const Place& place, const State& state, const Function& function, int depth) {
    if (function.usr.empty() || !m_locks.insert(function.usr).second) return;
    if (depth == 1) m_followed.names.insert(name_of(function));
    follow_guards(place, state, function);
    for (const auto& [old, file, region] : m_index.regions_by(function.usr)) {
      for (unsigned line = region.first; line <= region.last; ++line)
        add(place, state, {old, *file, line}, How::later);
      const Function* caller = m_index.line(old, *file, region.first).function;
      if (caller != nullptr && depth < k_depth) locks_for_others(place, state, *caller, depth + 1);
    }
  }

  // Who calls the function goes on at another time.
  void orders_others(const Place& place, const State& state, const Function& function, int depth) {
    if (function.usr.empty() || !m_ordering.insert(function.usr).second) return;
    if (depth == 1) m_followed.names.insert(name_of(function));
    follow_guards(place, state, function);
    const auto behind = [&](const CallPlace& call, bool named_only) {
      const LineIndex::Line& at = m_index.line(call.old, *call.file, call.line);
      const Function* caller = named_only ? at.named : at.function;
      if (caller == nullptr) return;
      for (unsigned line = call.line; line <= caller->extent.end_line; ++line)
        add(place, state, {call.old, *call.file, line}, How::later);
      if (depth < k_depth) orders_others(place, state, *caller, depth + 1);
    };
    m_index.for_callers(function, [&](const CallPlace& call) { behind(call, false); });
    m_index.for_callers_in_library(function, [&](const CallPlace& call) { behind(call, true); });
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
  const Program* m_sides[2]; // the new one, the old one
  ProgramIndex m_index;
  std::map<std::string, std::map<unsigned, State>> m_states[2];
  std::deque<Place> m_pending;
  std::set<std::tuple<const StatementLines*, How, bool>> m_followed_statements; // in all of their lines
  std::set<std::string> m_locks;                // functions whose regions were followed
  std::set<std::string> m_called[2];            // on the lines that changed, on those that are gone
  std::set<std::pair<std::string, bool>> m_set; // functions whose writes were followed
  std::set<std::string> m_returning;            // usrs
  std::set<std::string> m_ordering;
  std::set<std::string> m_throwing;
  std::set<std::string> m_started; // whose definitions are looked for
  Followed m_followed;
};

} // namespace

Followed follow(const std::vector<FileLines>& changes, const Program& now, const Program& before,
                const LockingFunctions& locking, LineIndexes& lines, const ChainedLines& from) {
  return Search(changes, now, before, locking, lines).run(from);
}

} // namespace reex::impact
