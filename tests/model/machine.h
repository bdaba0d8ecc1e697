// The state machine of a program: docs/semantics.md, "Points, enabledness, preemption", said once more
// without any regard to how the runtime does it. A state stands at a choice point: every live thread has run
// up to its pending operation (a new thread at once, when it is created). Value semantics; a copy is a
// snapshot.
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "tests/model/program.h"

namespace reex::model {

// Readings of the semantics where their words leave room. The defaults are the project's.
struct Reading {
  // These change outcomes: they serve to name the reading that a differing implementation follows.
  bool abort_is_a_point = false; // a choice point stands before abort, a failed assertion, an uncaught throw
  bool wake_one_of_a_deadline = false; // of several equal deadlines one expires (a free choice), not all
  bool late_start = false;             // a new thread runs nothing before it is chosen
  // These change how many schedules there are, never an outcome or its fewest preemptions.
  bool choice_at_joins = false;  // a blocked join that can complete waits to be chosen
  bool choice_at_sleeps = false; // a thread stands in front of its sleep, free to be left, before it sleeps
};

struct Outcome {
  std::string output;
  int exit = 0;
  std::string failure; // "" none; "deadlock" "abort" "assertion" "exception" have no exit status, "exit" has
  auto operator<=>(const Outcome&) const = default;
  std::string status() const; // the exit status, or the kind of failure
};

class Machine {
public:
  Machine(const Program& program, Reading reading);

  bool ended() const { return m_ended; }
  const Outcome& outcome() const { return m_outcome; } // of an ended execution

  // The threads that can run, ascending. Never empty unless the execution has ended: time moves, and a
  // deadlock ends it.
  std::vector<int> enabled() const;
  bool is_enabled(int thread) const;
  bool leaving_is_free(int thread) const; // the pending operation gives way: yield, sleep

  // How many ways `thread`'s pending operation can go (which waiter is woken); at least 1.
  int alternatives(int thread) const;
  // Executes the pending operation of an enabled thread in that way, and what follows up to the next points.
  void step(int thread, int alternative);
  // Alternatives of time where nobody can run: only under wake_one_of_a_deadline more than one.
  int time_alternatives() const { return m_time_alternatives; }
  void choose_time(int alternative);

  std::string key() const; // equal keys: equal futures and equal pasts of the output

private:
  enum class Stand : unsigned char {
    absent,      // not created
    ready,       // at the operation m_pc
    starting,    // created, has run nothing (late_start, or its first operation is a failure)
    waiting,     // asleep on a condition variable
    reacquiring, // woken, needs its mutex
    sleeping,    // until its deadline
    awake,       // the deadline has come
    ending,      // in front of the end of the process
    finished,
  };

  struct Thread {
    Stand stand = Stand::absent;
    int body = -1; // destructor body, or -1: the thread's own
    int pc = 0;
    std::array<int, k_loop_depth> counters{};
    std::array<int, k_registers> registers{};
    int remaining = -1; // virtual milliseconds up to the deadline of a timed operation; -1 none
    bool timed_out = false;
    bool leaves_process = false; // through exit, or main's end
    int status = 0;              // with which it leaves the process
    std::vector<int> touched;    // thread_local objects, in order of first use
  };

  struct Mutex {
    int owner = -1;
    int depth = 0;
  };

  struct RwLock {
    int writer = -1;
    int readers = 0;
  };

  const std::vector<Op>& body(int thread) const;
  const Op& pending(int thread) const;
  int value(int thread, const Op& op, std::size_t argument) const;
  bool mutex_is_free_for(int mutex, int thread) const;

  void start(int thread);
  void advance(int thread);
  bool run_invisible(int thread, const Op& op); // false: `op` is visible
  bool end_of_body(int thread);                 // true: a destructor follows
  void arrive(int thread, const Op& op);
  bool execute(int thread, const Op& op, int alternative); // false: the thread stays at this operation
  void fail(OpCode code);
  void end_process(int thread);
  void settle(); // moves time while nobody can run; finds deadlocks
  void complete_joins();
  std::vector<int> sleepers() const;
  void expire(const std::vector<int>& threads, int passed);
  void wake(int condition, int alternative);
  std::vector<int> waiters(int condition) const;
  void print_report();

  const Program* m_program;
  Reading m_reading;
  std::vector<Thread> m_threads;
  std::vector<int> m_atomics, m_plains, m_semaphores;
  std::vector<Mutex> m_mutexes;
  std::vector<RwLock> m_rwlocks;
  int m_time_alternatives = 1;
  bool m_ended = false;
  Outcome m_outcome;
};

} // namespace reex::model
