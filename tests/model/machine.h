// The state machine of a program. It implements docs/semantics.md ("Points", "Enabled", "Preemptions")
// independently of the runtime. Every state is at a choice point: each live thread has run to its pending
// operation; a new thread does so at once when it is created. The class has value semantics: a copy is a
// snapshot.
#pragma once

#include <compare>
#include <map>
#include <string>
#include <vector>

#include "tests/model/program.h"

namespace reex::model {

// Interpretations of the semantics where they could be understood in different ways. The defaults are those
// of reex.
struct Reading {
  // These change outcomes. They help to name the interpretation that a different implementation follows.
  bool abort_is_a_point = false;       // a choice point before abort, a failed assertion, an uncaught throw
  bool wake_one_of_a_deadline = false; // if deadlines are equal, one expires (a free choice), and not all
  bool late_start = false;             // a new thread does not run before it is chosen
  // These change the number of schedules, and never an outcome or its fewest preemptions.
  bool choice_at_joins = false;  // a blocked join that can complete waits until it is chosen
  bool choice_at_sleeps = false; // there is a choice point before a sleep, and the switch there is free
  // Operations of a time slice; 0: time passes only when no thread can run. This is no interpretation, but
  // the option --slice. It works together with abort_is_a_point only.
  int slice = 0;
  int patience = 0;      // the option --patience
  bool spurious = false; // the option --spurious
};

struct Outcome {
  std::string output;
  int exit = 0;
  std::string failure; // "": none; "deadlock" "stuck" "abort" "assertion" "exception": no exit status;
                       // "exit": has one
  auto operator<=>(const Outcome&) const = default;
  std::string status() const; // the exit status, or the kind of failure
};

// An execution that the schedule holds for ever: wherever it stands.
inline const Outcome k_stuck{"", 0, "stuck"};

class Machine {
public:
  Machine(const Program& program, Reading reading);

  bool ended() const { return m_ended; }
  const Outcome& outcome() const { return m_outcome; } // if the execution has ended

  // The enabled threads, in ascending order. The result is empty only if the execution has ended, or if a
  // thread may wake up spuriously before time moves: if no thread is enabled, time moves, and a deadlock ends
  // the execution.
  std::vector<int> enabled() const;
  bool is_enabled(int thread) const;
  // The pending operation is a yield or a sleep, and no time slice has just ended.
  bool leaving_is_free(int thread) const;
  // The thread that goes on at no cost, after a step of `last`: this one, or, if a time slice has just ended,
  // the next one after it whose deadline has come with this end, or the next one.
  int in_turn(int last) const;

  // The number of alternatives of the thread's pending operation (which waiter is woken); at least 1.
  int alternatives(int thread) const;
  // Executes this alternative of the pending operation of an enabled thread, and everything up to the next
  // points.
  void step(int thread, int alternative);
  // The alternatives of time if no thread can run. More than one only with wake_one_of_a_deadline.
  int time_alternatives() const { return m_time_alternatives; }
  void choose_time(int alternative);
  // The threads that may wake up spuriously now; this is not one of their alternatives, and costs a
  // preemption.
  std::vector<int> may_wake_spuriously() const;
  void wake_spuriously(int thread);

  // Whether every event that waits for others has occurred.
  bool obeys_schedule() const;

  std::string key() const; // states with equal keys have the same futures and the same output so far

private:
  enum class Stand : unsigned char {
    absent,      // not created yet
    ready,       // at the operation m_pc
    starting,    // created, but has not run (late_start, or its first operation is a failure)
    waiting,     // asleep on a condition variable
    reacquiring, // woken, needs its mutex
    sleeping,    // until its deadline
    awake,       // its deadline has come
    ending,      // before the end of the process
    finished,
  };

  struct Thread {
    Stand stand = Stand::absent;
    int body = -1; // destructor body, or -1: the thread's own
    int pc = 0;
    std::array<int, k_loop_depth> counters{};
    std::array<int, k_registers> registers{};
    int remaining = -1; // virtual milliseconds to the deadline of a timed operation; -1: none
    int number = 0;     // in the order of creation
    int slices = 0;     // laps that it has waited for it
    int in_lap = 0;     // steps that it has made in the lap that is under way
    bool came = false;  // it came as a time slice ended, and the thread has made no step since
    bool timed_out = false;
    bool leaves_process = false; // it ends the process, by exit or by the end of main
    int status = 0;              // the exit status for that
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
  void settle(); // moves time while no thread can run; finds deadlocks
  void complete_joins();
  std::vector<int> sleepers() const;
  void pass_time(const std::vector<int>& asleep, int earliest);
  void expire(const std::vector<int>& threads, int passed);
  void end_slice();
  void begin_lap();
  bool end_lap();
  void begin_slice(int length);
  void wake(int condition, int alternative);
  std::vector<int> waiters(int condition) const;
  void print_report();
  bool is_named(int event) const;
  bool may_occur(int event) const;
  bool is_blocked(int thread) const;
  int holder_of(int thread) const;
  bool is_stuck() const;

  const Program* m_program;
  Reading m_reading;
  std::vector<Thread> m_threads;
  std::vector<int> m_atomics, m_plains, m_semaphores;
  std::vector<Mutex> m_mutexes;
  std::vector<RwLock> m_rwlocks;
  std::map<int, int> m_occurred; // event -> its thread
  int m_created = 0;             // threads, apart from main
  int m_stood = 0;               // slices in which time stood still although a thread waited for it
  bool m_lapping = false;        // a lap is under way
  int m_in_lap = 0;              // steps of all threads in it
  int m_slice = 0;               // length of the time slice
  int m_left = 0;                // operations that are left of it
  bool m_slice_over = false;     // it ended with the last step
  int m_time_alternatives = 1;
  bool m_ended = false;
  Outcome m_outcome;
};

} // namespace reex::model
