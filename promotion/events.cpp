#include "promotion/events.h"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

namespace reex::promotion {
namespace {

// The place of a frame; nullopt if its file may not be edited, or nothing can be put there.
std::optional<Place> place_of_frame(const Frame& frame, const Sources& sources) {
  const auto source = sources.find(frame.file);
  if (frame.system_header || source == sources.end()) return std::nullopt;
  return place_of(frame.file, source->second.text, source->second.shape, frame.line, frame.column);
}

std::string identifier(std::string_view text) {
  std::string made(text);
  for (char& c : made)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return made;
}

class Planner {
public:
  Planner(const Failure& failure, const Sources& sources)
      : m_trace(failure.how.trace), m_failure(failure), m_sources(sources) {}

  Plan make() {
    name_threads();
    for (const Switch& each : switches_of(m_failure)) add(each);
    return std::move(m_plan);
  }

private:
  // Threads that the schedule may have to tell apart get a name from their creator.
  void name_threads() {
    std::map<Place, std::vector<int>> created;
    int next = 1;
    for (const TraceStep& step : m_trace) {
      if (step.operation != "thread create") continue;
      const int thread = next++;
      for (const Frame& frame : step.stack)
        if (const auto place = place_of_frame(frame, m_sources); place && !place->closing) {
          created[*place].push_back(thread);
          break;
        }
    }
    std::set<std::string> used{"main"};
    for (const auto& [place, threads] : created) {
      std::string base = first_name(text_of(place)).substr(0, 10);
      if (base.empty()) base = "thread";
      while (!used.insert(base).second) base += '_';
      const bool several = threads.size() > 1;
      for (std::size_t i = 0; i < threads.size(); ++i) {
        const std::string name = several ? base + std::to_string(i + 1) : base;
        m_names[threads[i]] = name;
        m_plan.namings.push_back(
            {.thread = threads[i],
             .code = {.place = place,
                      .side = Side::before,
                      .code = fmt::format("REEX_CREATES(\"{}{}\");", base, several ? "#" : "")},
             .name = name});
      }
    }
    m_names[0] = "main";
  }

  std::string_view text_of(const Place& place) const {
    return std::string_view(m_sources.at(place.file).text).substr(place.begin, place.end - place.begin);
  }

  struct Visit {
    unsigned of_thread =
        0; // so many times the thread has come to the place, up to the step; the step included
    unsigned all_of_thread = 0;
    bool others = false; // other threads come there, too
  };

  // How often threads come to the statement, as far as their operations show. A visit ends when the thread
  // does something elsewhere, or the same again.
  Visit visits(const Place& place, int thread, unsigned step, bool at_end) const {
    using Spot =
        std::tuple<std::size_t, unsigned, unsigned, std::string>; // frames around it, line, column, what
    Visit visit;
    std::set<Spot> seen;
    Spot last;
    const auto look = [&](const std::vector<Frame>& stack, const std::string& operation, bool counts) {
      for (std::size_t i = stack.size(); i-- > 0;) {
        const auto here = place_of_frame(stack[i], m_sources);
        if (!here || *here != place) continue;
        const Spot spot{stack.size() - i, stack[i].line, stack[i].column, i == 0 ? operation : ""};
        const bool within_call = i != 0 && spot == last;
        if (seen.empty() || (!within_call && seen.contains(spot))) {
          seen.clear();
          ++visit.all_of_thread;
          if (counts) ++visit.of_thread;
        }
        seen.insert(spot);
        last = spot;
        return;
      }
      seen.clear();
    };
    for (const TraceStep& each : m_trace) {
      if (each.thread == thread)
        look(each.stack, each.operation, each.step <= step);
      else
        visit.others = visit.others || comes_to(each.stack, place);
    }
    for (const ThreadPosition& position : m_failure.where) {
      if (position.thread == thread && at_end)
        look(position.stack, "", true);
      else if (position.thread != thread)
        visit.others = visit.others || comes_to(position.stack, place);
    }
    return visit;
  }

  // A function that threads may run of which the trace has no operation there: the main thread before there
  // was another one. A lambda and the test itself have one thread as far as the trace shows.
  bool is_shared(const Place& place) const {
    const impact::FunctionText* innermost = nullptr;
    for (const impact::FunctionText& function : m_sources.at(place.file).shape.functions)
      if (function.begin <= place.begin && place.begin < function.end) innermost = &function;
    return innermost != nullptr && !innermost->name.empty() && innermost->name != "main" &&
           !innermost->name.ends_with("::TestBody");
  }

  bool comes_to(const std::vector<Frame>& stack, const Place& place) const {
    return std::any_of(stack.begin(), stack.end(), [&](const Frame& frame) {
      const auto here = place_of_frame(frame, m_sources);
      return here && *here == place;
    });
  }

  // The event for a moment; its name is that of the place and of what it is for.
  std::optional<Moment> moment(const Stop& stop, const Frame& frame, Side side, const char* prefix,
                               unsigned depth) {
    const auto place = place_of_frame(frame, m_sources);
    if (!place || !place->allows(side)) return std::nullopt;
    const Visit visit = visits(*place, stop.thread, stop.step, stop.step == m_trace.size());
    if (visit.of_thread == 0) return std::nullopt;
    const std::string event = event_name(*place, prefix);
    Moment made{.event = {.place = *place, .side = side, .code = "REEX_EVENT(" + event + ");"},
                .word = event,
                .blocked = false,
                .thread = stop.thread,
                .depth = depth};
    if (visit.all_of_thread > 1 || is_shared(*place)) made.word += '#' + std::to_string(visit.of_thread);
    if (visit.others || is_shared(*place)) {
      const auto name = m_names.find(stop.thread);
      if (name == m_names.end()) return std::nullopt;
      made.word += '@' + name->second;
    }
    return made;
  }

  // From the statement of the operation outwards.
  std::vector<Moment> moments(const Stop& stop, Side side, const char* prefix) {
    std::vector<Moment> made;
    for (std::size_t i = 0; i < stop.stack.size(); ++i) {
      const auto depth = static_cast<unsigned>(stop.stack.size() - 1 - i);
      if (const auto one = moment(stop, stop.stack[i], side, prefix, depth))
        if (made.empty() || made.back().event.place != one->event.place) made.push_back(*one);
    }
    return made;
  }

  std::string event_name(const Place& place, const char* prefix) {
    std::string& name = m_events[{place, prefix}];
    if (!name.empty()) return name;
    const std::string statement =
        place.closing ? "end_of_block" : identifier(name_of_statement(text_of(place))).substr(0, 40);
    name = prefix + statement;
    for (unsigned number = 2; !m_used.insert(name).second; ++number)
      name = prefix + statement + std::to_string(number);
    return name;
  }

  std::string place_words(const Stop& stop) const {
    const Frame* const frame = user_frame(stop.stack);
    if (frame == nullptr) return "?";
    return frame->file.substr(frame->file.rfind('/') + 1) + ":" + std::to_string(frame->line);
  }

  void add(const Switch& of) {
    Constraint made;
    made.words = fmt::format("T{} {} {}, then T{} at {}", of.next.thread,
                             of.next.ended ? "behind"
                             : of.blocked  ? "blocked at"
                                           : "before",
                             place_words(of.next), of.first.thread, place_words(of.first));
    if (!of.next.ended) {
      made.before = moments(of.next, Side::before, "at_");
      for (Moment& each : made.before) each.blocked = of.blocked;
    }
    if (!of.blocked && !of.last.stack.empty())
      for (Moment& each : moments(of.last, Side::after, "did_")) made.before.push_back(std::move(each));
    made.after = moments(of.first, Side::before, "go_");
    made.joins = of.joins;
    if (made.before.empty() || made.after.empty()) {
      m_plan.left_out.push_back(made.words);
      return;
    }
    m_plan.constraints.push_back(std::move(made));
  }

  const std::vector<TraceStep>& m_trace;
  const Failure& m_failure;
  const Sources& m_sources;
  Plan m_plan;
  std::map<int, std::string> m_names; // of threads
  std::map<std::pair<Place, std::string>, std::string> m_events;
  std::set<std::string> m_used;
};

// Without the parameters, if what is left is a name that people write.
std::string short_function(const std::string& function) {
  if (function.find('{') != std::string::npos || function.find('<') != std::string::npos) return function;
  const std::size_t open = function.rfind('(');
  if (open == std::string::npos || open == 0 || function.substr(0, open).ends_with("operator"))
    return function;
  const std::string name = function.substr(0, open);
  return name.find_first_of("() ") == std::string::npos ? name : function;
}

std::string last_word(const std::string& text, const char* separators) {
  return text.substr(text.find_last_of(separators) + 1);
}

// Events at operations: of a function, in the order in which a thread comes there.
class ExternalPlanner {
public:
  explicit ExternalPlanner(const Failure& failure) : m_trace(failure.how.trace), m_failure(failure) {}

  Plan make() {
    for (const Switch& each : switches_of(m_failure)) add(each);
    return std::move(m_plan);
  }

private:
  struct Spot {
    std::string operation, function;
    auto operator<=>(const Spot&) const = default;
  };

  static std::optional<Spot> spot_of(const TraceStep& step) {
    const Frame* const frame = user_frame(step.stack);
    const bool visible = step.operation != "thread create" && step.operation != "thread join" &&
                         step.operation != "thread start" && step.operation != "thread end";
    if (!visible || frame == nullptr || frame->function.empty()) return std::nullopt;
    return Spot{step.operation, short_function(frame->function)};
  }

  // Null: it was about to do what the trace does not have.
  const TraceStep* step_of(const Stop& stop) const {
    return stop.step < m_trace.size() && m_trace[stop.step].thread == stop.thread ? &m_trace[stop.step]
                                                                                  : nullptr;
  }

  // What a thread waited for when the execution ended, where that says which operation it is.
  std::optional<Spot> last_spot(const Stop& stop) const {
    const Frame* const frame = user_frame(stop.stack);
    if (frame == nullptr || frame->function.empty()) return std::nullopt;
    for (const ThreadPosition& position : m_failure.where) {
      if (position.thread != stop.thread) continue;
      if (position.state.starts_with("waits for mutex"))
        return Spot{"mutex lock", short_function(frame->function)};
      if (position.state.starts_with("waits for semaphore"))
        return Spot{"semaphore wait", short_function(frame->function)};
    }
    return std::nullopt;
  }

  std::vector<Moment> moments(const Stop& stop, Side side, const char* prefix) {
    const TraceStep* const step = step_of(stop);
    const std::optional<Spot> spot = step == nullptr ? last_spot(stop) : spot_of(*step);
    if (!spot) return {};
    unsigned number = step == nullptr ? 1 : 0;
    bool others = false;
    for (const TraceStep& each : m_trace) {
      if (spot_of(each) != spot) continue;
      if (each.thread != stop.thread)
        others = true;
      else if (step == nullptr || each.step <= step->step)
        ++number;
    }
    const std::string name = event_name(*spot, prefix);
    Moment made;
    made.event.code = fmt::format("REEX_EVENT_AT({}, \"{} {} in {}\");", name,
                                  side == Side::before ? "before" : "after", spot->operation, spot->function);
    made.word = fmt::format("{}#{}", name, number);
    if (others) made.word += stop.thread == 0 ? "@main" : "@T" + std::to_string(stop.thread);
    made.thread = stop.thread;
    return {made};
  }

  std::string event_name(const Spot& spot, const char* prefix) {
    std::string& name = m_events[{spot, prefix}];
    if (!name.empty()) return name;
    std::string function = spot.function.substr(0, spot.function.find_first_of("(<{"));
    while (function.ends_with(':')) function.pop_back();
    const std::string base =
        prefix + identifier(last_word(spot.operation, " -")) + '_' + identifier(last_word(function, ": "));
    name = base;
    for (unsigned number = 2; !m_used.insert(name).second; ++number) name = base + std::to_string(number);
    return name;
  }

  void add(const Switch& of) {
    Constraint made;
    made.words = fmt::format("T{} to T{}", of.next.thread, of.first.thread);
    if (!of.next.ended) {
      made.before = moments(of.next, Side::before, "at_");
      for (Moment& each : made.before) each.blocked = of.blocked;
    }
    for (Moment& each : moments(of.last, Side::after, "did_")) made.before.push_back(std::move(each));
    made.after = moments(of.first, Side::before, "go_");
    made.joins = of.joins;
    if (made.before.empty() || made.after.empty())
      m_plan.left_out.push_back(made.words);
    else
      m_plan.constraints.push_back(std::move(made));
  }

  const std::vector<TraceStep>& m_trace;
  const Failure& m_failure;
  Plan m_plan;
  std::map<std::pair<Spot, std::string>, std::string> m_events;
  std::set<std::string> m_used;
};

std::string condition_text(const Moment& moment) {
  return moment.blocked ? '[' + moment.word + ']' : moment.word;
}

// at_ before go_, where both stand before one statement: who waits there has come there.
void put_in_order(std::vector<Insertion>& insertions) {
  std::stable_sort(insertions.begin(), insertions.end(), [](const Insertion& a, const Insertion& b) {
    const auto rank = [](const Insertion& of) {
      return of.code.starts_with("REEX_CREATES") ? 0 : of.code.find("(go_") == std::string::npos ? 1 : 2;
    };
    return rank(a) < rank(b);
  });
}

} // namespace

Plan make_plan(const Failure& failure, const Sources& sources) { return Planner(failure, sources).make(); }

Plan make_external_plan(const Failure& failure) { return ExternalPlanner(failure).make(); }

std::string schedule_text(const Plan& plan, const Selection& selection) {
  std::string text;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < selection.size(); ++i) {
    if (!selection[i]) continue;
    const Moment& before = plan.constraints[i].before[selection[i]->before];
    const Moment& after = plan.constraints[i].after[selection[i]->after];
    const std::string ordering = condition_text(before) + "->" + after.word;
    if (!seen.insert(ordering).second) continue;
    text += (text.empty() ? "" : ", ") + ordering;
  }
  return text;
}

namespace {

std::vector<const Moment*> moments_of(const Plan& plan, const Selection& selection) {
  std::vector<const Moment*> moments;
  for (std::size_t i = 0; i < selection.size(); ++i) {
    if (!selection[i]) continue;
    moments.push_back(&plan.constraints[i].before[selection[i]->before]);
    moments.push_back(&plan.constraints[i].after[selection[i]->after]);
  }
  return moments;
}

std::vector<const Moment*> all_moments(const Plan& plan) {
  std::vector<const Moment*> moments;
  for (const Constraint& constraint : plan.constraints) {
    for (const Moment& moment : constraint.before) moments.push_back(&moment);
    for (const Moment& moment : constraint.after) moments.push_back(&moment);
  }
  return moments;
}

bool is_declared(const Moment& moment) { return moment.event.place.file.empty(); }

std::vector<std::string> declarations(const std::vector<const Moment*>& moments) {
  std::vector<std::string> made;
  for (const Moment* const moment : moments)
    if (is_declared(*moment) && std::find(made.begin(), made.end(), moment->event.code) == made.end())
      made.push_back(moment->event.code);
  return made;
}

} // namespace

std::vector<Insertion> all_insertions(const Plan& plan) {
  std::vector<Insertion> made;
  for (const Naming& naming : plan.namings) made.push_back(naming.code);
  for (const Moment* const moment : all_moments(plan))
    if (!is_declared(*moment)) made.push_back(moment->event);
  put_in_order(made);
  return made;
}

std::vector<Insertion> insertions_of(const Plan& plan, const Selection& selection) {
  std::vector<Insertion> made;
  bool named = false;
  for (const Moment* const moment : moments_of(plan, selection)) {
    if (is_declared(*moment)) continue;
    made.push_back(moment->event);
    named = named || moment->word.find('@') != std::string::npos;
  }
  // All of them, because a thread that is created without a name gets that of the thread before.
  if (named)
    for (const Naming& naming : plan.namings) made.push_back(naming.code);
  put_in_order(made);
  return made;
}

std::vector<std::string> all_declarations(const Plan& plan) { return declarations(all_moments(plan)); }

std::vector<std::string> declarations_of(const Plan& plan, const Selection& selection) {
  return declarations(moments_of(plan, selection));
}

} // namespace reex::promotion
