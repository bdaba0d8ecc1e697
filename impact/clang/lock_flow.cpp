#include "impact/clang/lock_flow.h"

#include <algorithm>

namespace reex::impact {
namespace {

using Kind = FlowStep::Kind;

enum class State : std::uint8_t {
  none, // not taken
  held,
  released,
  perhaps, // held on one path, and released on another one
  dead,    // nothing gets here
};

State joined(State one, State other) {
  if (one == State::dead || one == other) return other;
  if (other == State::dead || other == State::none) return one;
  return one == State::none ? other : State::perhaps;
}

class Follower {
public:
  Follower(const std::vector<FlowStep>& steps, std::size_t lock) : m_steps(steps), m_lock(lock) {
    find_guard();
  }

  HeldLines run() {
    for (std::size_t i = 0; i < m_steps.size() && !m_done; ++i) {
      if (m_steps[i].file == m_steps[m_lock].file) m_line = m_steps[i].line;
      step(i);
      note();
    }
    m_state = State::none;
    note();
    std::sort(m_held.ranges.begin(), m_held.ranges.end());
    std::vector<std::pair<unsigned, unsigned>> merged;
    for (const auto& [first, last] : m_held.ranges) {
      if (!merged.empty() && first <= merged.back().second + 1)
        merged.back().second = std::max(merged.back().second, last);
      else
        merged.emplace_back(first, last);
    }
    m_held.ranges = std::move(merged);
    return std::move(m_held);
  }

private:
  struct Frame {
    Kind kind;
    State in;
    State out = State::dead;   // of the ways that have left it so far
    State again = State::dead; // of a loop: those that go on with its next round
    bool complete = false;     // an `if` with an `else`, a `switch` with a default
    bool always = false;
    bool once = false;
    bool was_held = false;  // somewhere within a `try`
    bool with_lock = false; // of a function: the lock is taken in it
  };

  // The variable whose scope ends the region, if the lock is one's.
  void find_guard() {
    std::vector<std::size_t> depths; // of the scopes of guards of that name that are open
    std::size_t depth = 0;
    for (std::size_t i = 0; i <= m_lock; ++i) {
      const FlowStep& step = m_steps[i];
      if (step.kind == Kind::open) ++depth;
      if (step.kind == Kind::close) {
        --depth;
        while (!depths.empty() && depths.back() > depth) depths.pop_back();
      }
      if ((step.kind == Kind::guard || step.kind == Kind::holder) && step.object == m_steps[m_lock].object)
        depths.push_back(depth);
    }
    m_taken_depth = depth;
    m_guard = !depths.empty();
    if (m_guard) m_guard_depth = depths.back();
  }

  void step(std::size_t i) {
    const FlowStep& step = m_steps[i];
    if (i == m_lock) {
      m_state = State::held;
      m_began = true;
      for (Frame& frame : m_frames) frame.with_lock = true;
      return;
    }
    switch (step.kind) {
    case Kind::lock:
    case Kind::holder:
      if (m_began && step.object == m_steps[m_lock].object) locked_again();
      break;
    case Kind::unlock:
      if (step.object != m_steps[m_lock].object) break;
      if (m_state == State::perhaps) keep_doubtful();
      if (m_state != State::held && m_state != State::perhaps) break;
      m_state = State::released;
      m_release_depth = m_depth;
      m_window = m_depth > m_taken_depth;
      break;
    case Kind::guard:
      break;
    case Kind::open:
      ++m_depth;
      break;
    case Kind::close:
      --m_depth;
      if (m_depth < m_release_depth) m_window = false;
      if (m_began && m_scope_open && m_depth < m_taken_depth) {
        m_scope_open = false;
        keep_end();
      }
      if (m_began && m_guard && m_depth < m_guard_depth) {
        keep_end();
        m_done = true;
      }
      break;
    default:
      structure(step);
    }
  }

  // Compilers put what is released at the end of a block on its last line, also that behind a `return`.
  void keep_end() {
    if (m_state != State::released) m_held.ranges.emplace_back(m_line, m_line);
  }

  // In the block that has released it, within the scope of the first time, it is a window in which others get
  // the lock; else a region begins that has nothing to do with this one.
  void locked_again() {
    if (m_state != State::released && m_state != State::perhaps) return;
    if (m_scope_open && m_depth > m_taken_depth && (m_window || m_state == State::perhaps))
      m_state = State::held;
    else
      m_done = true;
  }

  void structure(const FlowStep& step) {
    switch (step.kind) {
    case Kind::branch:
    case Kind::loop:
    case Kind::attempt:
    case Kind::choice:
    case Kind::function:
      m_frames.push_back({.kind = step.kind, .in = m_state, .always = step.always, .once = step.once});
      if (step.kind == Kind::choice) m_state = State::dead;
      return;
    case Kind::otherwise: {
      Frame& frame = m_frames.back();
      frame.out = m_state;
      frame.complete = true;
      m_state = frame.in;
      return;
    }
    case Kind::label:
      if (Frame* choice = innermost({Kind::choice}); choice != nullptr) {
        choice->complete = choice->complete || step.always;
        m_state = joined(m_state, choice->in);
      }
      return;
    case Kind::handler: {
      Frame& frame = m_frames.back();
      frame.out = joined(frame.out, m_state);
      m_state = frame.was_held && frame.in != State::held ? State::perhaps : frame.in;
      return;
    }
    case Kind::join:
    case Kind::choice_end:
    case Kind::attempt_end:
    case Kind::loop_end:
    case Kind::function_end:
      return leave_frame();
    case Kind::target:
      m_state = joined(m_state, m_gone);
      return;
    case Kind::gone:
      m_gone = joined(m_gone, m_state);
      break;
    case Kind::leaves:
      if (const Frame* function = innermost({Kind::function});
          m_state == State::held && (function == nullptr || function->with_lock))
        m_held.at_end = true;
      break;
    case Kind::breaks:
      if (Frame* frame = innermost({Kind::loop, Kind::choice}); frame != nullptr)
        frame->out = joined(frame->out, m_state);
      break;
    case Kind::continues:
      if (Frame* frame = innermost({Kind::loop}); frame != nullptr)
        frame->again = joined(frame->again, m_state);
      break;
    default:
      break;
    }
    m_state = State::dead;
  }

  void leave_frame() {
    const Frame frame = m_frames.back();
    m_frames.pop_back();
    switch (frame.kind) {
    case Kind::function:
      if (frame.with_lock) {
        m_held.at_end = m_held.at_end || m_state == State::held;
        m_done = true;
      } else {
        m_state = frame.in;
      }
      return;
    case Kind::loop:
      m_state = frame.always ? frame.out : joined(joined(frame.out, m_state), frame.again);
      if (!frame.always && !frame.once) m_state = joined(m_state, frame.in);
      return;
    case Kind::attempt:
      m_state = joined(m_state, frame.out);
      return;
    default:
      m_state = joined(m_state, frame.out);
      if (!frame.complete) m_state = joined(m_state, frame.in);
    }
  }

  Frame* innermost(std::initializer_list<Kind> kinds) {
    for (auto frame = m_frames.rbegin(); frame != m_frames.rend(); ++frame) {
      if (std::find(kinds.begin(), kinds.end(), frame->kind) != kinds.end()) return &*frame;
      if (frame->kind == Kind::function) break;
    }
    return nullptr;
  }

  // A guard holds to the end of its scope if it may hold at all.
  State told() const {
    if (m_state == State::perhaps && m_guard) return State::held;
    return m_state == State::held || m_state == State::perhaps ? m_state : State::none;
  }

  void note() {
    const State now = told();
    if (now == State::held)
      for (Frame& frame : m_frames) frame.was_held = true;
    if (now == m_told) return;
    if (m_told == State::held) m_held.ranges.emplace_back(m_from, m_line);
    if (m_told == State::perhaps) m_doubtful.emplace_back(m_from, m_line);
    m_told = now;
    m_from = m_line;
  }

  void keep_doubtful() {
    m_doubtful.emplace_back(m_from, m_line);
    m_held.ranges.insert(m_held.ranges.end(), m_doubtful.begin(), m_doubtful.end());
    m_doubtful.clear();
  }

  const std::vector<FlowStep>& m_steps;
  const std::size_t m_lock;
  std::size_t m_depth = 0;
  std::size_t m_taken_depth = 0;
  std::size_t m_guard_depth = 0;
  bool m_guard = false;
  bool m_began = false;
  bool m_done = false;
  bool m_scope_open = true; // that in which the lock is taken
  bool m_window = false;    // the block that has released it, within that one, has not ended
  std::size_t m_release_depth = 0;
  State m_state = State::none;
  State m_gone = State::dead;
  State m_told = State::none;
  unsigned m_line = 0;
  unsigned m_from = 0;
  std::vector<Frame> m_frames;
  std::vector<std::pair<unsigned, unsigned>> m_doubtful; // held only if it is released once more
  HeldLines m_held;
};

} // namespace

HeldLines held_lines(const std::vector<FlowStep>& steps, std::size_t lock) {
  return Follower(steps, lock).run();
}

} // namespace reex::impact
