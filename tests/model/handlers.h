// Small programs whose threads send signals to each other, and all outcomes that they can have, by brute
// force. A program is main, workers, which main creates at its start and joins at its end, and one handler
// for each of two signals. Its text has the kinds of the variables (a: atomic, p: plain, volatile), then the
// operations of main, of the workers and of the handlers, with `;` in between. An operation is a letter and
// two digits:
//
//   r X 0   the thread reads variable X       s T S   sends signal S to thread T
//   w X N   writes N to it                    b 0 S   blocks signal S
//   a X 0   adds 1 to it                      u 0 S   unblocks it
//   y 0 0   yields
//
// A thread, and a handler on a thread, append what they read to their own text; the end of main prints all
// texts and variables.
//
// What the model knows of signals (docs/semantics.md: "Signals"): one of each number is pending for a thread
// at most; the handler of the last one runs first; its signal is blocked meanwhile; a thread may go on before
// it takes a signal, but not beyond an operation that enters the kernel, nor beyond its end.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace reex::model {

struct HandlerProgram {
  struct Op {
    char code;
    int first, second;
  };
  using Body = std::vector<Op>;

  std::string kinds;
  std::vector<Body> threads; // main is the first
  std::vector<Body> handlers;
};

inline constexpr int k_signals = 2;

inline HandlerProgram parse_handlers(const std::string& text) {
  HandlerProgram program;
  std::vector<HandlerProgram::Body> bodies(1);
  const std::size_t kinds = text.find(';');
  program.kinds = text.substr(0, kinds);
  for (std::size_t i = kinds + 1; i < text.size();) {
    if (text[i] == ';') {
      bodies.emplace_back();
      ++i;
      continue;
    }
    bodies.back().push_back({text.at(i), text.at(i + 1) - '0', text.at(i + 2) - '0'});
    i += 3;
  }
  program.handlers.assign(bodies.end() - k_signals, bodies.end());
  program.threads.assign(bodies.begin(), bodies.end() - k_signals);
  return program;
}

std::string draw_handlers(std::uint64_t seed);

// What the program can print.
std::set<std::string> outcomes_of(const HandlerProgram& program);

} // namespace reex::model
