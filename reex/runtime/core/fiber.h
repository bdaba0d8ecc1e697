// A thread of the test. It is a fiber on the only operating-system thread of the worker.
//
// Callers: the test process, on fibers and on the controller's stack.
//
// Invariants: g_fibers[i].slot is i for each fiber in use. When a thread has ended and was joined or is
// detached, a later thread may use its slot, so a slot stands for a thread only as long as nobody has created
// another one. A thread's number `id`, the order of its creation, is never used again in an execution: it is
// what objects, records and reports name. Slot 0 and number 0 are main's. A restore leaves g_fibers alone;
// then reset_runtime (worker.cpp) sets up main's fiber again and marks all others as unused. After a worker's
// death, the next worker starts with the fibers of its zygote, which has only main's.
#pragma once

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <pthread.h>
#include <sched.h>

#include "reex/runtime/core/pending.h"
#include "reex/shared/limits.h"

namespace reex {

enum class FiberState : std::uint8_t { unused, live, finished };

// What the kernel would keep for a thread (threads/scheduling.h).
struct Scheduling {
  int policy = SCHED_OTHER;
  int priority = 0;
  int nice = 0;
  bool reset_on_fork = false;
  bool is_confined = false; // the test has chosen a single processor for it
  cpu_set_t processors = {};
  long timer_slack = 50000; // in nanoseconds (prctl); it has no effect in virtual time
  long default_timer_slack = 50000;
};

// What belongs to a thread, apart from its stack and its thread-local storage. restore_signals brings main's
// back.
struct Personal {
  std::uint64_t blocked = 0; // set of signals, as bits: number - 1
  std::uint64_t pending = 0; // signals that were sent to this thread and that it has not taken yet
  std::uint64_t waited = 0;  // signals that the thread waits for in sigwait or a variant of it
  std::uint64_t let_in = 0;  // signals that only the mask of the call under way lets through (pselect, ...)
  std::uint32_t sent_at =
      0;                  // g.step when another thread sent the first of the signals that it has to deliver
  bool is_sent = false;   // there is such a one, and it is not known yet how late it comes
  std::uint8_t late = 0;  // how many operations of the thread still come before its handler
  bool cancelled = false; // pthread_cancel was called for this thread
  bool cancel_disabled = false;
  bool cancel_at_once = false;   // the cancellation type is asynchronous
  bool leaving = false;          // the thread is ending: a cancellation has no effect any more
  bool at_point = false;         // the thread is in a call that is a cancellation point (CancellationPoint)
  std::uint32_t robust = 0;      // robust mutexes that the thread has locked and not unlocked
  void* cleanup = nullptr;       // list of _pthread_cleanup_buffer, innermost first
  void* unwind_buffer = nullptr; // list of __pthread_unwind_buf_t of C code without exceptions
  char name[16] = "";
  Scheduling scheduling;
  stack_t handler_stack{nullptr, SS_DISABLE, 0}; // that it has given by sigaltstack
};

// What a thread finds when it comes to an operation of a possible spin (semantics: "Spins").
struct SpinState {
  std::uint64_t state;       // hash of the thread's registers and stack
  std::uint32_t writes;      // Fiber::writes
  std::uint32_t clock_reads; // Fiber::clock_reads
  std::uint32_t unrest;      // g.unrest
  std::uint32_t step;        // g.step
};

// One operation of a possible spin: a read, or a change that a later one of the loop takes back.
struct SpinRead {
  void* pc;
  void* object;
  std::uint64_t value; // that was read, or that the change left
  std::uint64_t net;   // Fiber::net
  SpinState last;      // at the last time
  SpinState anchor;    // at an earlier time: finds loops whose state comes back only after several turns
  std::uint32_t count;
  std::uint32_t calm_turns; // turns in a row that found everything as it was while only spinning threads ran
  std::int32_t low;         // lowest Fiber::level since the last time
  Operation operation;
  bool changes; // it changes the object
  bool fresh;   // `last` may be the begin of a turn
};
inline constexpr unsigned k_spin_window = 16;
// A third identical read by a thread in an identical state is a spin: the loop would never end.
inline constexpr std::uint32_t k_spin_reads = 3;
// After this many identical reads a spin is suspected even if the thread's own state changes (it counts, or
// backs off).
inline constexpr std::uint32_t k_spin_reads_any_state = 100;
// A thread that yields in each of these turns, and writes nothing beyond its stack, says itself that it
// waits.
inline constexpr std::uint32_t k_spin_yields_any_state = 10;
// Operations of an execution that suspected loops may execute while they go on. This is half of the default
// step limit, and far more than loops that give up wait for.
inline constexpr std::uint32_t k_loop_operations = 10000;
// A thread may wait for ever if so many turns of its loop found everything as it was. One turn is the proof;
// the others are for state that reex does not see, such as a counter in a library without hooks.
inline constexpr std::uint32_t k_calm_turns = 16;

// The loop of a thread that spins (semantics: "Spins").
enum class Loop : std::uint8_t {
  none,      // the thread does not spin
  proven,    // a turn of the loop has left the state as it was, so every turn will
  suspected, // many equal reads in different states
  going_on,  // suspected, and executed without a choice until it ends
  cut,       // it went on and did not end
};

// By how much a thread's clocks are ahead of virtual time (order/time_ahead.h), in nanoseconds.
struct Ahead {
  std::uint64_t shown;  // by what it has read, and by what others have read that it knows of
  std::uint64_t worked; // and by what its operations have taken since; 0: nobody has read a clock
};

// How often a thread has read the clock at each of its last places (environment/clock.cpp).
struct ClockReads {
  static constexpr unsigned k_places = 16;
  struct At {
    std::uint64_t place = 0;
    std::uint32_t count = 0;         // readings there of a thread that does nothing else
    std::uint32_t count_at_work = 0; // and of one that has done something since the last one
    std::uint32_t last = 0;          // `readings` then
    std::uint32_t writes = 0;        // Fiber::writes then
    std::uint32_t notified = 0;      // `notified` then
    std::uint32_t slept = 0;         // `slept` then
    std::uint64_t time = 0;          // virtual time then
    std::uint64_t net = 0;           // Fiber::net then
    std::uint64_t polled = 0;        // ns that have passed by readings since it last had done something
    std::uint64_t polled_before = 0; // and before, in pieces of many readings, since all waited
    std::uint32_t polls = 0;         // readings since it last had done something
    std::uint32_t all_waited = 0;    // VirtualTime::all_waited then
  };
  At at[k_places];
  std::uint32_t readings; // at all places
  std::uint32_t moved;    // `readings` when one of them moved time last, or gave the others a turn instead
  std::uint32_t notified; // waits of the thread that others have ended
  std::uint64_t wait;     // length of the thread's last sleep or timed wait
  std::uint64_t until;    // its deadline
  std::uint64_t woke;     // its deadline, if the thread has come to it
  std::uint32_t slept;    // sleeps and timed waits of the thread that have come to their deadlines
  std::uint32_t slices;   // at whose ends the thread was put back in a loop that reads it at one place
  std::uint64_t last;     // place of the last reading
  unsigned next;          // place to be given up
  bool joined;            // the thread has joined another one since the last reading
};

inline constexpr unsigned k_outer_frames = 24;
// Values of Fiber::waker that are no thread.
inline constexpr std::uint16_t k_nobody = 0xffff;
inline constexpr std::uint16_t k_several = 0xfffe;

// A wait that a signal handler has interrupted. It lies on the thread's stack while the handler runs. The
// thread still is among those that can be notified.
struct InterruptedWait {
  Pending pending;
  void* condition;
  InterruptedWait* outer; // the handler of another signal was interrupted
  // The thread's own clocks at which it did what the handler may have come before, too: it was interrupted
  // from outside. 0: it was not.
  std::uint32_t first_clock = 0;
  std::uint32_t last_clock = 0;
};

struct Donor; // threads/donor.h

// The scheduler looks at the first fields of every live thread before each choice.
struct alignas(64) Fiber {
  std::uint16_t id = 0;   // number of the thread, by the order of creation
  std::uint16_t slot = 0; // index in g_fibers, and in tables of threads
  FiberState state = FiberState::unused;
  bool detached = false;
  bool joined = false;
  bool spinning = false;          // the thread is deprioritized
  Loop loop = Loop::none;         // none exactly if it does not spin
  bool changing = false;          // an operation of its possible spin changes its object
  bool seen_midway = false;       // another thread has used what its loop has changed, since it last ran
  std::uint64_t spin_objects = 0; // a bit for each object of `spin`, which several may share
  std::uint16_t waker = k_nobody; // the thread that ended its spin, until it executes its next operation
  Pending pending;
  Personal own;
  Fiber* creator = nullptr; // the fiber that created this one; set up to its first visible operation
  Fiber* ended = nullptr;   // stands for the thread that ended and so let this joiner continue; set up to the
                            // joiner's next visible operation
  void* context = nullptr;  // boost fcontext_t
  std::uint64_t fs = 0;
  Donor* donor = nullptr;     // null for main
  char* stack_low = nullptr;  // null for main; of the donor, or of the test's own
  char* stack_high = nullptr; // highest address
  char* told_end = nullptr; // what pthread_getattr_np tells: the end of the stack, its size, the guard's size
  std::size_t told_size = 0;
  std::size_t told_guard = 0;
  bool has_given_stack = false;
  bool has_explicit_scheduling = false;
  char* entry_frame = nullptr; // frame of the thread's outermost function, where pthread_exit stops unwinding
  std::uintptr_t entry = 0;    // address of that function
  void* (*start)(void*) = nullptr;
  void* argument = nullptr;
  void* result = nullptr;
  Fiber* joins = nullptr;     // the thread whose end it waits for, while its pending operation is a join
  Fiber* joiner = nullptr;    // waits for this thread's end if it `joins` it: no other may
  void* created_at = nullptr; // return address of the call that created the thread
  std::uint64_t created = 0;  // virtual time then
  std::uint64_t idle = 0;     // ns in which it could not run
  void* condition = nullptr;  // the condition variable that the thread waits for
  InterruptedWait* interrupted = nullptr; // innermost first
  void** shadow_base = nullptr; // shadow stack: return addresses of the instrumented calls under way
  void** shadow_top = nullptr;
  std::uintptr_t live_from = 0; // suspended: what lies below on its stack is dead (core/stacks.h)
  std::uintptr_t lowest_shared = ~std::uintptr_t{0}; // no other thread has accessed live frames below
  unsigned spin_reads = 0;
  std::uint32_t equal_turns = 0; // of a loop, up to now: its last read saw each time what it had seen before
  unsigned past_deadlines = 0;   // timed waits whose time had passed, since the last notification
  std::uint32_t slices = 0;      // laps that it has waited for its deadline (schedule/passing.h)
  std::uint32_t passed_over = 0; // notifications that reached others, since one has reached it
  bool came = false;             // its wait ended with a time slice, and it has executed nothing since
  std::uint32_t operations = 0;  // that it has executed, except for joins
  std::uint32_t lap = 0;         // of them, those before the lap that is under way
  std::uint32_t at_clock = 0;    // of them, those before a thread that reads the clock last moved time
  bool polls_clock = false;      // of a thread that spins: its loop reads a clock
  std::uint32_t samples = 0;     // of plain accesses, since its last visible operation (accesses/tsan.cpp)
  std::uint32_t writes = 0;      // rises at a read if the thread wrote beyond its stack since the last one
  std::uint64_t net = 0;  // sum of what its changes have left, minus what they had found: equal if taken back
  std::int32_t level = 0; // changes to a higher value minus changes to a lower one: locks that it holds
  bool at_home = false;   // it has executed nothing since the operation `home`
  unsigned home = 0;      // of a thread that spins or was woken: the operation after which it was put back
  std::uint32_t turn_since = 0;  // g.step when the last turn that changed nothing began
  std::uint32_t woken_at = 0;    // g.step when its `waker` ended its spin
  bool wrote = false;            // g_wrote, while the fiber is suspended
  std::uint32_t clock_reads = 0; // readings of a clock
  std::uint32_t exempted = 0;    // accesses of functions that are exempted from hooks
  std::uint32_t yields = 0;      // where code is not seen
  ClockReads clock{};            // where it reads clocks
  Ahead ahead{};                 // by how much its clocks are ahead of virtual time
  std::uint64_t random = 0;      // its place in its sequence of random numbers; 0: at the start
  SpinRead spin[k_spin_window] = {};
  std::uint64_t outer[k_outer_frames] = {}; // frames that are not on the shadow stack; only with a change
  unsigned outer_count = 0;
  std::uint8_t match_bits = 0;
  bool match_bits_known = false;
};

// Whether the operation belongs to the loop of a thread whose spin is proven. Otherwise it came before.
inline bool in_loop(const Fiber& fiber, const SpinRead& read) { return read.last.step > fiber.turn_since; }

extern Fiber* const g_fibers; // k_max_threads, by slot; the first g.fibers are in use

inline bool is_gone(const Fiber& fiber) { // its slot may be used again
  return fiber.state == FiberState::finished && (fiber.joined || fiber.detached);
}

Fiber* fiber_of(pthread_t thread); // null: the thread is unknown, or was joined or detached and has ended
const Fiber* gone_fiber(pthread_t thread); // the thread that was joined or detached and has ended; null: none
Fiber* live_thread(unsigned id);           // by number; null: it has ended
void* label_of(const Fiber& fiber);        // the object of an operation that acts on the thread

} // namespace reex
