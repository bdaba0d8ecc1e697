#include "promotion/switches.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace reex::promotion {
namespace {

bool is_join(const TraceStep& step) { return step.operation == "thread join"; }

// Nothing that an event could stand at.
bool is_bookkeeping(const TraceStep& step) {
  return step.operation == "thread end" || step.operation == "thread start" ||
         user_frame(step.stack) == nullptr;
}

class Reader {
public:
  explicit Reader(const Failure& failure) : m_trace(failure.how.trace), m_where(failure.where) {}

  Stop last_of(int thread, std::size_t before) const {
    for (std::size_t i = before; i-- > 0;)
      if (m_trace[i].thread == thread && !is_bookkeeping(m_trace[i])) return stop(i);
    return {.thread = thread, .stack = {}, .step = 0, .ended = true};
  }

  Stop next_of(int thread, std::size_t from) const {
    for (std::size_t i = from; i < m_trace.size(); ++i) {
      if (m_trace[i].thread != thread) continue;
      if (!is_bookkeeping(m_trace[i])) return stop(i);
      break;
    }
    const bool ends = std::any_of(m_trace.begin() + static_cast<std::ptrdiff_t>(from), m_trace.end(),
                                  [&](const TraceStep& step) { return step.thread == thread; });
    if (!ends)
      for (const ThreadPosition& position : m_where)
        if (position.thread == thread && position.state != "finished" &&
            user_frame(position.stack) != nullptr)
          return {.thread = thread, .stack = position.stack, .step = size(), .ended = false};
    Stop last = last_of(thread, from);
    last.ended = true;
    return last;
  }

  bool joins_next(int thread, std::size_t from) const {
    for (std::size_t i = from; i < m_trace.size(); ++i)
      if (m_trace[i].thread == thread) return is_join(m_trace[i]);
    return std::any_of(m_where.begin(), m_where.end(), [&](const ThreadPosition& position) {
      return position.thread == thread && position.state.starts_with("waits for the end of");
    });
  }

  // Whether the thread could not go on behind this step.
  bool is_blocked_behind(std::size_t at) const {
    return at + 1 < m_trace.size() && m_trace[at + 1].thread != m_trace[at].thread &&
           m_trace[at + 1].reason == SwitchReason::blocked;
  }

  // Whether the thread, when it executes this step, goes on with what it was blocked at.
  bool was_blocked(std::size_t at) const {
    for (std::size_t i = at; i-- > 0;)
      if (m_trace[i].thread == m_trace[at].thread) return is_blocked_behind(i);
    return false;
  }

  // Whether the thread's step before this one was a join.
  bool has_joined(std::size_t at) const {
    for (std::size_t i = at; i-- > 0;)
      if (m_trace[i].thread == m_trace[at].thread) return is_join(m_trace[i]);
    return false;
  }

  Stop stop(std::size_t i) const {
    return {.thread = m_trace[i].thread, .stack = m_trace[i].stack, .step = static_cast<unsigned>(i)};
  }

  const std::vector<TraceStep>& trace() const { return m_trace; }
  unsigned size() const { return static_cast<unsigned>(m_trace.size()); }

private:
  const std::vector<TraceStep>& m_trace;
  const std::vector<ThreadPosition>& m_where;
};

// Threads that were preempted and never went on: what they were about to do comes behind everything else.
void add_last(const Failure& failure, const Reader& reader, std::size_t last, std::vector<Switch>& switches) {
  const std::vector<TraceStep>& trace = reader.trace();
  for (const ThreadPosition& position : failure.where) {
    if (position.thread == trace[last].thread || position.state == "finished") continue;
    std::size_t own = trace.size();
    while (own > 0 && trace[own - 1].thread != position.thread) --own;
    if (own == 0 || reader.is_blocked_behind(own - 1)) continue;
    const Stop first = reader.next_of(position.thread, own);
    if (first.ended || reader.joins_next(position.thread, own)) continue;
    Switch made;
    made.last = reader.stop(last);
    made.next = reader.next_of(trace[last].thread, last + 1);
    made.blocked = !made.next.ended && failure.kind == "deadlock";
    made.first = first;
    switches.push_back(std::move(made));
  }
}

} // namespace

std::vector<Switch> switches_of(const Failure& failure) {
  const Reader reader(failure);
  const std::vector<TraceStep>& trace = reader.trace();
  std::vector<Switch> switches;
  std::optional<std::size_t> last;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    if (is_join(trace[i]) || is_bookkeeping(trace[i])) continue;
    const std::optional<std::size_t> before = std::exchange(last, i);
    if (!before || trace[*before].thread == trace[i].thread || reader.was_blocked(i)) continue;
    const int from = trace[*before].thread;
    Switch made;
    made.last = reader.stop(*before);
    made.first = reader.stop(i);
    const bool stands_at_join = reader.joins_next(from, *before + 1);
    made.joins = stands_at_join || reader.has_joined(i);
    made.next = made.last;
    made.next.ended = true;
    if (!stands_at_join) made.next = reader.next_of(from, *before + 1);
    made.blocked = !made.next.ended && reader.is_blocked_behind(*before);
    switches.push_back(std::move(made));
  }
  if (last) add_last(failure, reader, *last, switches);
  return switches;
}

std::string inexpressible(const Failure& failure, const std::vector<Decision>& decisions) {
  const auto keep = [](const std::string& what) {
    return what + ", which orderings cannot express: keep the schedule file, and replay it";
  };
  if (failure.kind == "livelock") return keep("it is a livelock, a failure of threads that all run");
  if (failure.kind == "infeasible") return keep("it is a schedule that nothing satisfies");
  if (failure.kind == "race" || failure.kind == "data-race" || failure.kind == "never-joined" ||
      failure.kind == "destroyed-while-held" || failure.kind == "unlocked-by-stranger" ||
      failure.kind == "woken-after-free")
    return keep("it is a finding (" + failure.kind + "): natively nothing fails");
  for (const Decision& decision : decisions) {
    if (decision.kind == "option")
      return keep("it needs a timeout, a spurious wake-up or a weak failure to be chosen");
    if (decision.kind == "loop") return keep("it needs a loop that goes on as if it spun");
  }
  if (failure.how.times_passed != 0) return keep("time passes in it while a thread could run");
  return "";
}

} // namespace reex::promotion
