#include "tests/model/handlers.h"

#include <algorithm>

#include "tests/model/draw.h"

namespace reex::model {
namespace {

using Op = HandlerProgram::Op;
using Body = HandlerProgram::Body;

// A function that a thread executes: its own, or a handler.
struct Frame {
  int handler = -1; // -1: the thread's own
  std::size_t next = 0;
  int read = -1; // the first half of an addition to a plain variable
  unsigned blocked_before = 0;

  auto operator<=>(const Frame&) const = default;
};

struct Thread {
  std::vector<Frame> frames;
  unsigned blocked = 0;
  unsigned pending = 0;
  std::vector<std::string> texts; // of its own, then of the handlers on it

  bool has_ended() const { return frames.empty(); }
  unsigned deliverable() const { return pending & ~blocked; }
  auto operator<=>(const Thread&) const = default;
};

struct State {
  std::vector<int> variables;
  std::vector<Thread> threads;
  auto operator<=>(const State&) const = default;
};

bool enters_kernel(const Op& op) { return std::string("sbuy").find(op.code) != std::string::npos; }

class Search {
public:
  explicit Search(const HandlerProgram& program) : m_program(program) {}

  std::set<std::string> run() {
    State start;
    start.variables.assign(m_program.kinds.size(), 0);
    for (std::size_t i = 0; i < m_program.threads.size(); ++i)
      start.threads.push_back({.frames = {Frame{}}, .texts = std::vector<std::string>(1 + k_signals)});
    visit(start);
    return m_outcomes;
  }

private:
  const Body& body(const State& state, std::size_t thread) const {
    const int handler = state.threads[thread].frames.back().handler;
    return handler < 0 ? m_program.threads[thread] : m_program.handlers[static_cast<std::size_t>(handler)];
  }

  void visit(const State& state) {
    if (!m_seen.insert(state).second) return;
    for (std::size_t i = 0; i < state.threads.size(); ++i) {
      const Thread& thread = state.threads[i];
      if (thread.has_ended()) continue;
      if (thread.deliverable() != 0) {
        State next = state;
        deliver(next, i);
        visit(next);
      }
      const Frame& frame = thread.frames.back();
      const Body& code = body(state, i);
      const bool ends = frame.next == code.size();
      if (thread.deliverable() != 0 && (ends || enters_kernel(code[frame.next]))) continue;
      if (ends && i == 0 && !workers_ended(state)) continue; // main waits for them
      State next = state;
      if (ends)
        leave(next, i);
      else
        step(next, i, code[frame.next]);
      visit(next);
    }
  }

  static bool workers_ended(const State& state) {
    return std::all_of(state.threads.begin() + 1, state.threads.end(),
                       [](const Thread& thread) { return thread.has_ended(); });
  }

  // As the kernel does at once for all: each gets a frame on top of the one before.
  void deliver(State& state, std::size_t index) const {
    Thread& thread = state.threads[index];
    for (int signal = 0; signal < k_signals; ++signal) {
      const unsigned bit = 1U << signal;
      if ((thread.deliverable() & bit) == 0) continue;
      thread.pending &= ~bit;
      thread.frames.push_back({.handler = signal, .blocked_before = thread.blocked});
      thread.blocked |= bit;
    }
    return_from_finished(state, index);
  }

  // The return of a handler enters the kernel.
  void return_from_finished(State& state, std::size_t index) const {
    Thread& thread = state.threads[index];
    const Frame frame = thread.frames.back();
    if (frame.handler < 0 || frame.next != body(state, index).size()) return;
    thread.blocked = frame.blocked_before;
    thread.frames.pop_back();
    deliver(state, index);
  }

  void leave(State& state, std::size_t index) {
    state.threads[index].frames.clear();
    if (index == 0) m_outcomes.insert(text_of(state));
  }

  void step(State& state, std::size_t index, const Op& op) const {
    Thread& thread = state.threads[index];
    Frame& frame = thread.frames.back();
    const bool is_variable = std::string("rwa").find(op.code) != std::string::npos;
    int none = 0;
    int& variable = is_variable ? state.variables[static_cast<std::size_t>(op.first)] : none;
    const unsigned bit = 1U << op.second;
    switch (op.code) {
    case 'r':
      thread.texts[static_cast<std::size_t>(frame.handler + 1)] += std::to_string(variable);
      break;
    case 'w':
      variable = op.second;
      break;
    case 'a':
      if (m_program.kinds[static_cast<std::size_t>(op.first)] == 'p' && frame.read < 0) {
        frame.read = variable;
        return;
      }
      variable = (frame.read < 0 ? variable : frame.read) + 1;
      frame.read = -1;
      break;
    case 's':
      if (Thread& target = state.threads[static_cast<std::size_t>(op.first)]; !target.has_ended())
        target.pending |= bit;
      break;
    case 'b':
      thread.blocked |= bit;
      break;
    case 'u':
      thread.blocked &= ~bit;
      break;
    default:
      break;
    }
    ++frame.next;
    if (enters_kernel(op) && thread.deliverable() != 0) deliver(state, index);
    return_from_finished(state, index);
  }

  static std::string text_of(const State& state) {
    std::string text;
    for (const int variable : state.variables) text += std::to_string(variable);
    for (const Thread& thread : state.threads)
      for (const std::string& read : thread.texts) text += ' ' + read;
    return text + '\n';
  }

  const HandlerProgram& m_program;
  std::set<State> m_seen;
  std::set<std::string> m_outcomes;
};

std::string operation(char code, int first, int second) {
  return code + std::to_string(first) + std::to_string(second);
}

std::string access(Random& random, int variables) {
  const char code = "rrwwa"[random.below(5)];
  return operation(code, random.below(variables), code == 'w' ? random.between(1, 3) : 0);
}

} // namespace

// A thread sends signals to main, and to workers that were created before.
std::string draw_handlers(std::uint64_t seed) {
  Random random(seed);
  const int variables = random.between(2, 3);
  const int workers = random.between(1, 2);
  std::string text;
  for (int i = 0; i < variables; ++i) text += random.chance(60) ? 'p' : 'a';
  for (int thread = 0; thread <= workers; ++thread) {
    text += ';';
    for (int count = random.between(1, workers == 1 ? 3 : 2); count > 0; --count) {
      const int kind = random.below(10);
      if (kind < 3 && thread == 0)
        text += operation('s', random.between(1, workers), random.below(k_signals));
      else if (kind < 3)
        text += operation('s', random.below(thread), random.below(k_signals));
      else if (kind == 3)
        text += operation("buy"[random.below(3)], 0, random.below(k_signals));
      else
        text += access(random, variables);
    }
  }
  for (int signal = 0; signal < k_signals;
       ++signal) { // only the second one sends: else there might be no end
    text += ';';
    for (int count = random.between(1, 2); count > 0; --count)
      text += signal == 1 && random.chance(25) ? operation('s', 0, 0) : access(random, variables);
  }
  return text;
}

std::set<std::string> outcomes_of(const HandlerProgram& program) { return Search(program).run(); }

} // namespace reex::model
