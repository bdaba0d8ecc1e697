#include "imunit/record.h"

#include <algorithm>
#include <optional>

namespace reex::inference {
namespace {

constexpr std::string_view k_never_block[] = {"sleep",
                                              "signal sleep",
                                              "thread start",
                                              "thread end",
                                              "thread create",
                                              "yield",
                                              "event",
                                              "schedule",
                                              "read",
                                              "write",
                                              "atomic load",
                                              "atomic store",
                                              "atomic read-modify-write",
                                              "atomic compare-exchange",
                                              "atomic fence"};

bool is_sleep(const TraceStep& step) { return step.operation == "sleep"; }

struct Place {
  int function = -1;
  StatementId statement = k_no_statement;
};

class Recorder {
public:
  Recorder(const Execution& execution, const Source& source)
      : m_steps(execution.steps), m_stood_still(execution.stood_still), m_source(source) {}

  Recorded record() {
    read_stacks();
    choose_bodies();
    for (std::size_t i = 0; i < m_steps.size(); ++i) m_places.push_back(places_of(i));
    order_steps();
    judge_sleeps();
    walk();
    return std::move(m_result);
  }

private:
  const Statement& statement(StatementId id) const {
    return m_source.statements()[static_cast<std::size_t>(id)];
  }
  const Function& function(int number) const {
    return m_source.functions()[static_cast<std::size_t>(number)];
  }

  // A lambda that is an argument of a macro has the place of the macro.
  bool is_in_macro(const Frame& frame, int number) const {
    return frame.function.find("operator()") != std::string::npos && !function(number).lambda &&
           function(number).name != "operator";
  }
  // Whether the function's name is this one: "std::condition_variable::wait<...>(...)" is "wait".
  static bool is_named(std::string_view function, std::string_view name) {
    const std::size_t at = function.find(name);
    if (at == std::string_view::npos || function.find('(') < at) return false;
    const std::string_view behind = function.substr(at + name.size(), 1);
    return (at == 0 || function[at - 1] == ':' || function[at - 1] == ' ') &&
           (behind == "(" || behind == "<");
  }
  // A statement of a lambda that is an argument of a macro: the compiler puts all of them at the line of the
  // macro. It is the one that calls what it has called, if only one does.
  Place in_macro(StatementId macro, const std::string& callee) {
    Place found;
    unsigned count = 0;
    for (StatementId id = 0; id < static_cast<StatementId>(m_source.statements().size()); ++id) {
      const Statement& each = statement(id);
      const Function& of = function(each.function);
      if (!of.lambda || of.inside != macro) continue;
      if (std::none_of(each.calls.begin(), each.calls.end(),
                       [&](const std::string& call) { return is_named(callee, call); }))
        continue;
      found = {each.function, id};
      ++count;
    }
    if (count == 1) return found;
    if (macro >= 0)
      m_left_out.insert({m_source.line_of(macro), "what this macro's argument does",
                         "the compiler does not say which of its statements is executed"});
    return {};
  }

  // The file's functions on each stack, the outermost first.
  void read_stacks() {
    for (const TraceStep& step : m_steps) {
      std::vector<Place> places;
      for (auto frame = step.stack.rbegin(); frame != step.stack.rend(); ++frame) {
        if (frame->file != m_source.path() || frame->line == 0) continue;
        const std::size_t offset = m_source.offset(frame->line, frame->column);
        const int number = m_source.function_at(offset);
        if (number < 0) continue;
        Place place{number, m_source.statement_at(offset)};
        if (is_in_macro(*frame, number)) {
          const bool innermost = std::next(frame) == step.stack.rend();
          place = in_macro(place.statement, innermost ? "" : std::next(frame)->function);
          if (place.statement == k_no_statement) continue;
        }
        if (!places.empty() && places.back().function == place.function) places.pop_back(); // inlined
        places.push_back(place);
      }
      m_stacks.push_back(std::move(places));
    }
  }

  bool on_stack(const std::vector<Place>& stack, std::size_t below, int number) const {
    for (std::size_t i = 0; i < below; ++i)
      if (stack[i].function == number) return true;
    return false;
  }
  // A lambda that is executed elsewhere than where it was written.
  bool is_task(const std::vector<Place>& stack, std::size_t at) const {
    const Function& lambda = function(stack[at].function);
    return lambda.lambda && m_source.contains(m_test, stack[at].function) &&
           !on_stack(stack, at, lambda.parent);
  }
  bool has_one_statement(int number) const {
    return std::count_if(m_source.statements().begin(), m_source.statements().end(),
                         [&](const Statement& each) { return each.function == number; }) <= 1;
  }

  void choose_bodies() {
    for (std::size_t i = 0; i < m_steps.size() && m_test < 0; ++i)
      if (m_steps[i].thread == 0 && !m_stacks[i].empty()) m_test = m_stacks[i].front().function;
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
      const std::vector<Place>& stack = m_stacks[i];
      for (std::size_t at = 1; at < stack.size(); ++at)
        if (m_steps[i].thread != 0 && is_task(stack, at)) m_with_tasks.insert(m_steps[i].thread);
      // Helpers of the test that create threads are its own, too.
      if (m_steps[i].operation == "thread create" && !stack.empty()) m_sleepers.insert(stack.back().function);
      if (!is_sleep(m_steps[i])) continue;
      // Functions that do nothing but sleep are like the library's.
      std::size_t at = stack.size();
      while (at > 1 && has_one_statement(stack[at - 1].function)) --at;
      if (at > 1) m_sleepers.insert(stack[at - 1].function);
    }
  }

  // Of the functions on the stack, those whose statements are logged.
  std::vector<Place> places_of(std::size_t step) const {
    const std::vector<Place>& stack = m_stacks[step];
    const int thread = m_steps[step].thread;
    std::vector<Place> places;
    for (std::size_t at = 0; at < stack.size(); ++at) {
      const bool first = at == 0 && m_with_tasks.count(thread) == 0;
      if (first || (thread != 0 && is_task(stack, at)) || m_sleepers.count(stack[at].function) != 0)
        places.push_back(stack[at]);
    }
    return places;
  }

  void order_steps() {
    int created = 0;
    m_next.assign(m_steps.size(), m_steps.size());
    std::map<int, std::size_t> last;
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
      const TraceStep& step = m_steps[i];
      if (const auto found = last.find(step.thread); found != last.end())
        m_next[found->second] = i;
      else
        m_first[step.thread] = i;
      last[step.thread] = i;
      m_begin.push_back(0);
      if (step.operation == "thread create") {
        m_child[i] = ++created;
        if (!m_places[i].empty()) m_creating.insert(m_places[i].back().statement);
      }
    }
    // When each step began to be pending.
    for (const auto& [step, child] : m_child)
      if (const auto first = m_first.find(child); first != m_first.end()) m_begin[first->second] = step;
    for (std::size_t i = 0; i < m_steps.size(); ++i)
      if (m_next[i] < m_steps.size()) m_begin[m_next[i]] = i;
  }

  void judge_sleeps() {
    std::map<StatementId, std::map<int, unsigned>> counts;
    std::set<StatementId> others; // statements that do more than sleep
    std::set<LeftOut> left_out = m_left_out;
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
      const StatementId at = m_places[i].empty() ? k_no_statement : m_places[i].back().statement;
      if (!is_sleep(m_steps[i]))
        others.insert(at);
      else if (at == k_no_statement)
        left_out.insert({0, "a sleep outside of " + m_source.path(), "it belongs to what is tested"});
      else
        ++counts[at][m_steps[i].thread];
    }
    for (const auto& [at, by_thread] : counts) {
      const auto leave_out = [&, id = at](const std::string& why) {
        left_out.insert({m_source.line_of(id), "the sleep", why});
      };
      const bool often =
          std::any_of(by_thread.begin(), by_thread.end(), [](const auto& of) { return of.second > 1; });
      if (is_end(at) || statement(at).kind != Statement::Kind::plain)
        leave_out("it is only a part of its statement");
      else if (statement(at).in_section)
        leave_out("it is in a section: the test is executed once for each, in an order of its own");
      else if (statement(at).in_loop)
        leave_out("it is in a loop, which polls or is a matter of time");
      else if (often)
        leave_out("a thread comes there several times");
      else if (others.count(at) != 0)
        leave_out("its statement does more than to sleep");
      else
        m_result.sleeps.insert(at);
    }
    m_result.left_out.assign(left_out.begin(), left_out.end());
  }

  bool is_logged_sleep(std::size_t step) const {
    return is_sleep(m_steps[step]) && !m_places[step].empty() &&
           m_result.sleeps.count(m_places[step].back().statement) != 0;
  }

  // Whether the thread stood still before the step.
  bool was_blocked(std::size_t step) const {
    if (!m_stood_still.empty()) return m_stood_still[step];
    const TraceStep& of = m_steps[step];
    if (std::find(std::begin(k_never_block), std::end(k_never_block), of.operation) !=
        std::end(k_never_block))
      return false;
    for (std::size_t j = m_begin[step] + 1; j < step; ++j) {
      const TraceStep& other = m_steps[j];
      if (other.reason == SwitchReason::blocked && other.from_thread == of.thread) return true;
      // Time passes only when nobody can run.
      if (is_sleep(other) && other.enabled <= sleepers(j)) return true;
    }
    return false;
  }
  // How many threads sleep as the step begins, its own among them.
  int sleepers(std::size_t step) const {
    int count = 0;
    for (std::size_t i = step; i < m_steps.size(); ++i)
      if (is_sleep(m_steps[i]) && m_begin[i] < step) ++count;
    return count;
  }

  std::string waits_in(std::size_t step) const {
    return m_steps[step].operation == "thread join" ? std::string(k_join) : "";
  }

  void emit(EntryType type, int thread, StatementId at, const std::string& info = "") {
    m_result.log.push_back({.type = type, .thread = thread, .info = info, .statement = at, .time = m_time});
  }
  bool is_silent(StatementId at) const {
    return at == k_no_statement || is_end(at) || m_creating.count(at) != 0 || m_result.sleeps.count(at) != 0;
  }
  void call(int thread, StatementId at) {
    if (!is_silent(at)) emit(EntryType::other_call, thread, at, callee_of(m_source, at));
  }
  void leave(int thread, StatementId at) {
    if (!is_silent(at)) emit(EntryType::other_return, thread, at, callee_of(m_source, at));
  }
  // A statement without visible operations.
  void pass(int thread, StatementId at) {
    const Statement& of = statement(at);
    if (of.kind == Statement::Kind::leave || (of.kind == Statement::Kind::declaration && of.calls.empty()))
      return;
    call(thread, at);
    leave(thread, at);
  }

  // The statements of the block between two; nothing for `from` means its beginning, for `to` its end. A
  // `break` or `return` among them leaves the block, which is entered again at a label behind it, as at the
  // next case.
  void pass_between(int thread, StatementId in, std::optional<StatementId> from,
                    std::optional<StatementId> to) {
    std::vector<StatementId> between;
    for (const StatementId each : m_source.siblings(in))
      if ((!from || each > *from) && (!to || is_end(*to) || each < *to) &&
          (!from || statement(each).begin >= statement(*from).end))
        between.push_back(each);
    const auto leaves = [&](StatementId each) { return statement(each).kind == Statement::Kind::leave; };
    const auto first = std::find_if(between.begin(), between.end(), leaves);
    const bool enters = to && !is_end(*to);
    if (first == between.end() || from || !enters) pass_all(thread, between.begin(), first);
    if (first != between.end() && enters)
      pass_all(thread, std::find_if(between.rbegin(), between.rend(), leaves).base(), between.end());
  }
  template <typename Iterator>
  void pass_all(int thread, Iterator first, Iterator last) {
    for (; first != last; ++first) pass(thread, *first);
  }

  // From one statement of a function to another one of it; from k_no_statement: from its beginning.
  void move(int thread, int number, StatementId from, StatementId to) {
    const StatementId end = end_of_function(number);
    std::vector<StatementId> out = m_source.path(from);
    std::vector<StatementId> in = m_source.path(to == k_no_statement ? end : to);
    if (from == k_no_statement) {
      for (const StatementId each : in) pass_between(thread, each, {}, each);
      return;
    }
    if (is_end(from)) return;
    std::size_t common = 0;
    while (common < out.size() && common < in.size() && out[common] == in[common]) ++common;
    const bool forward =
        common == out.size() || common == in.size() || is_end(in[common]) || out[common] < in[common];
    if (!forward) return;
    for (std::size_t level = out.size(); level-- > common + 1;)
      pass_between(thread, out[level], out[level], {});
    if (common < out.size()) {
      const bool same_block = common < in.size() && (is_end(in[common]) || statement(out[common]).block ==
                                                                               statement(in[common]).block);
      if (same_block)
        pass_between(thread, out[common], out[common], in[common]);
      else if (common == in.size())
        pass_between(thread, out[common], out[common], {});
    }
    for (std::size_t level = common + (common < out.size() ? 1 : 0); level < in.size(); ++level)
      if (!is_end(in[level])) pass_between(thread, in[level], {}, in[level]);
  }

  // Leaves the functions above `depth`.
  void unwind(int thread, std::size_t depth) {
    std::vector<Place>& stack = m_current[thread];
    while (stack.size() > depth) {
      const Place top = stack.back();
      stack.pop_back();
      leave(thread, top.statement);
      move(thread, top.function, top.statement, end_of_function(top.function));
      if (stack.empty()) emit(EntryType::th_end, thread, end_of_function(top.function));
    }
  }

  // The thread goes on to be pending at the step.
  void advance(std::size_t step) {
    const int thread = m_steps[step].thread;
    const std::vector<Place>& places = m_places[step];
    std::vector<Place>& stack = m_current[thread];
    if (places.empty()) {
      if (thread != 0) unwind(thread, 0); // the thread's function or the task is over
      return;
    }
    std::size_t common = 0;
    while (common < places.size() && common < stack.size() &&
           places[common].function == stack[common].function)
      ++common;
    unwind(thread, common);
    if (common > 0 && stack[common - 1].statement != places[common - 1].statement) {
      Place& top = stack[common - 1];
      leave(thread, top.statement);
      move(thread, top.function, top.statement, places[common - 1].statement);
      top.statement = places[common - 1].statement;
      call(thread, top.statement);
    }
    for (std::size_t at = common; at < places.size(); ++at) {
      if (at == 0) m_result.thread_function[thread] = places[at].function;
      m_result.bodies.insert(places[at].function);
      move(thread, places[at].function, k_no_statement, places[at].statement);
      stack.push_back(places[at]);
      call(thread, places[at].statement);
    }
    if (is_logged_sleep(step)) {
      emit(EntryType::sleep_call, thread, places.back().statement);
    } else if (was_blocked(step)) {
      emit(EntryType::block_call, thread, places.back().statement, waits_in(step));
    }
  }

  void walk() {
    if (const auto first = m_first.find(0); first != m_first.end()) advance(first->second);
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
      const int thread = m_steps[i].thread;
      m_time = m_steps[i].time;
      const StatementId at = m_places[i].empty() ? k_no_statement : m_places[i].back().statement;
      if (is_logged_sleep(i))
        emit(EntryType::sleep_return, thread, at);
      else if (!m_places[i].empty() && was_blocked(i))
        emit(EntryType::block_return, thread, at, waits_in(i));
      if (const auto child = m_child.find(i); child != m_child.end()) {
        m_result.log.push_back({.type = EntryType::th_start,
                                .thread = thread,
                                .statement = at,
                                .child = child->second,
                                .time = m_time});
        if (const auto first = m_first.find(child->second); first != m_first.end()) advance(first->second);
      }
      if (m_next[i] < m_steps.size()) advance(m_next[i]);
    }
    unwind(0, 0);
  }

  const std::vector<TraceStep>& m_steps;
  const std::vector<bool>& m_stood_still;
  const Source& m_source;
  std::vector<std::vector<Place>> m_stacks;
  std::vector<std::vector<Place>> m_places; // by step
  int m_test = -1;
  std::set<int> m_with_tasks; // threads that execute tasks
  std::set<int> m_sleepers;   // functions that sleep, or create threads
  std::map<int, std::size_t> m_first;
  std::vector<std::size_t> m_next;
  std::vector<std::size_t> m_begin;
  std::map<std::size_t, int> m_child; // by step
  std::set<StatementId> m_creating;
  std::map<int, std::vector<Place>> m_current;
  std::uint64_t m_time = 0; // of the step that is walked over
  std::set<LeftOut> m_left_out;
  Recorded m_result;
};

} // namespace

std::string callee_of(const Source& source, StatementId at) {
  if (at < 0) return "step";
  if (source.is_block(at)) return "end_of_block";
  const Statement& statement = source.statements()[static_cast<std::size_t>(at)];
  if (!statement.calls.empty()) return statement.calls.front();
  if (!statement.variable.empty()) return statement.variable;
  return statement.word.empty() ? "step" : statement.word;
}

std::string test_file(const std::vector<TraceStep>& steps, bool framework) {
  for (const TraceStep& step : steps) {
    if (step.thread != 0) continue;
    for (auto frame = step.stack.rbegin(); frame != step.stack.rend(); ++frame) {
      if (!is_of_user(*frame)) continue;
      if (framework && (frame->function == "main" || frame->function.starts_with("main("))) continue;
      return frame->file;
    }
  }
  return "";
}

Recorded record_log(const Execution& execution, const Source& source) {
  return Recorder(execution, source).record();
}

} // namespace reex::inference
