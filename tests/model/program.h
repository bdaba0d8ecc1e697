// A tiny language of concurrent programs. The model (model.h) explores them by brute force, the interpreter
// runs them with real threads and locks, and emit_cpp.h writes them as plain C++. A line is one declaration
// or operation:
//
//   atomic x0 = 3 | plain p0 = 3 | sem s0 = 3       (the initial value may be left out: 0)
//   mutex m0 [plain|recursive|timed] | cond c0 | rwlock w0
//   thread N | destructor N                         (begins a body; thread 0 is main)
//   OPERATION ARGUMENT...                           (k_op_table in program.cpp; `end` closes loop, if, while)
//   order EVENT ATOM... [| ATOM...]...              (the event waits for all atoms of an alternative: 3, or
//   [3],
//                                                   whose thread must be blocked)
//   expect PREEMPTIONS EXIT-OR-FAILURE OUTPUT       (one line for each outcome; `-` is the empty output)
//
// Values are numbers or the thread's own registers r0..r3. `#` begins a comment. The program itself must
// guard plain variables: the model reads them without a choice point.
#pragma once

#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace reex::model {

inline constexpr int k_registers = 4;
inline constexpr int k_loop_depth = 4;

enum class OpCode : unsigned char {
  // Invisible: there is no choice point before them. A join is a visible operation only if it cannot
  // complete.
  create,
  join,
  detach,
  set,
  increase,
  read,
  write,
  loop,
  if_,
  while_,
  end,
  tls,
  return_,
  exit,
  // Visible.
  lock,
  unlock,
  trylock,
  lockfor,
  wait,
  waitfor,
  signal,
  broadcast,
  semwait,
  sempost,
  semtry,
  semwaitfor,
  rdlock,
  wrlock,
  rdunlock,
  wrunlock,
  tryrd,
  trywr,
  rdlockfor,
  wrlockfor,
  load,
  store,
  add,
  xchg,
  cas,
  yield,
  sleep,
  print,
  printr,
  report,
  event,
  // Failures.
  abort,
  assertion,
  throw_,
};

// The syntax and the meaning of an argument.
//   x p m c s w  an object of that kind      r  a register that is written
//   v            a register or a number      q  a comparison: == != < >
//   t d          a thread, a destructor      n  a number       "  a word of text, escaped (escape())
struct OpInfo {
  std::string_view name;
  OpCode code;
  std::string_view signature;
};
const OpInfo& info(OpCode code);

struct Op {
  OpCode code{};
  std::array<int, 4> args{};         // numbers, by position in the signature
  std::array<bool, 4> in_register{}; // the argument is a register to be read
  std::string text;
  int jump = -1; // for loop, if, while: the operation behind `end`; for end: the operation that opened it
};

enum class MutexKind : unsigned char { plain, recursive, timed };

struct Expectation {
  unsigned preemptions = 0;
  std::string status; // an exit status, or the kind of failure
  std::string output;
};

// Of the schedule (docs/imunit.md). Each event of a program is issued at one place, at most once.
struct Atom {
  int event = 0;
  bool blocks = false;
};
struct Ordering {
  int event = 0;
  std::vector<std::vector<Atom>> alternatives;
};

struct Program {
  std::vector<int> atomics, plains, semaphores; // initial values
  std::vector<MutexKind> mutexes;
  int conditions = 0;
  int rwlocks = 0;
  std::vector<std::vector<Op>> threads;
  std::vector<std::vector<Op>> destructors; // bodies of thread_local objects
  std::vector<Ordering> orderings;
  std::vector<Expectation> expectations;

  bool is_detached(int thread) const; // whether an operation detaches it
};

struct SyntaxError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws SyntaxError with the line's number.
Program parse(std::string_view text);
std::string to_text(const Program& program);

// The schedule in the language of docs/imunit.md: event 3 is e3. "" if there are no orderings.
std::string schedule_of(const Program& program);

// Sets the jumps of a body whose operations were put together by hand. Throws SyntaxError if an `end` is
// missing or superfluous.
void resolve_jumps(std::vector<Op>& body);

bool compare(int left, int comparison, int right); // `comparison` is the number for q: 0 ==, 1 !=, 2 <, 3 >
std::string_view comparison_name(int comparison);

// Writes the end of a line, a space and a backslash as \n, \s and \\, and reads them back.
std::string escape(std::string_view text);
std::string unescape(std::string_view text);

} // namespace reex::model
