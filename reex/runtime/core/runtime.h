// The runtime's shape: threads as fibers, what each is about to do, and the few functions that the interposed
// primitives are written in. Everything here lives in the test process and is used on its one
// operating-system thread: on a fiber during an execution, or on the controller's stack between executions.
//
// The runtime's own variables are not part of a snapshot: they keep their values over a restore. It allocates
// nothing, takes no lock, and has no thread-local variables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <pthread.h>
#include <sys/types.h>

#include "reex/runtime/machine/platform.h"
#include "reex/shared/control.h"

namespace reex {

inline constexpr std::uint64_t k_never = ~std::uint64_t{0};

enum class FiberState : std::uint8_t { unused, live, finished };

// The next visible operation of a fiber, before which it stands.
struct Pending {
  Operation operation = Operation::none;
  void* object = nullptr;
  void* pc = nullptr;               // return address in the code that called the runtime
  void* frame = nullptr;            // its stack pointer after the return (the call frame address)
  std::uint64_t deadline = k_never; // virtual time, for operations that time ends
  std::uint64_t value = 0;          // barrier: generation; join: thread
  bool timed_out = false;
  bool notified = false;    // of a condition or futex waiter
  bool interrupted = false; // a signal handler has run while it waited, and the wait is not to go on
};

// What a thread has of its own besides stack and storage. Main's comes back with a restore.
struct Personal {
  std::uint64_t blocked = 0; // signals, as bits: number - 1
  std::uint64_t pending = 0; // sent to this thread and not taken yet
  std::uint64_t waited = 0;  // by sigwait and its kin
  bool cancelled = false;    // pthread_cancel was called for it
  bool cancel_disabled = false;
  bool cancel_at_once = false;   // the asynchronous type
  bool leaving = false;          // its stack is being unwound: nobody cancels it any more
  void* cleanup = nullptr;       // _pthread_cleanup_buffer, innermost first
  void* unwind_buffer = nullptr; // __pthread_unwind_buf_t of C code without exceptions, innermost first
  char name[16] = "";
};

// One read of a possible spin (semantics: "Spin").
struct SpinRead {
  void* pc;
  void* object;
  std::uint64_t value;
  std::uint64_t state; // hash of the thread's registers and stack
  std::uint32_t count;
  std::uint32_t writes; // Fiber::writes at the time
};
inline constexpr unsigned k_spin_window = 8;
// A third identical read by a thread in an identical state is a spin: it would go on for ever.
inline constexpr std::uint32_t k_spin_reads = 3;
// So many identical reads are a spin even if the thread's own state changes (it counts, or backs off).
inline constexpr std::uint32_t k_spin_reads_any_state = 100;

inline constexpr unsigned k_outer_frames = 24;

struct Donor; // runtime/donor.h

struct Fiber {
  std::uint16_t id = 0;
  FiberState state = FiberState::unused;
  bool detached = false;
  bool joined = false;
  bool spinning = false;    // deprioritized
  Fiber* creator = nullptr; // while it runs up to its first visible operation
  Fiber* ended = nullptr;   // while it goes on from the join of this fiber, up to its next visible operation
  void* context = nullptr;  // boost fcontext_t
  std::uint64_t fs = 0;
  Donor* donor = nullptr;      // null for main
  char* entry_frame = nullptr; // of its outermost function: where pthread_exit stops unwinding
  void* (*start)(void*) = nullptr;
  void* argument = nullptr;
  void* result = nullptr;
  void* created_at = nullptr; // return address of the call that did
  void* condition = nullptr;  // waited for
  Personal own;
  void** shadow_base = nullptr; // return addresses of the instrumented calls under way
  void** shadow_top = nullptr;
  Pending pending;
  unsigned spin_reads = 0;
  unsigned past_deadlines = 0; // waits whose time had passed, since it was notified last
  std::uint32_t writes = 0;    // rises when a read finds that the thread has written beyond its own stack
  bool wrote = false;          // g_wrote while it does not run
  SpinRead spin[k_spin_window] = {};
  std::uint64_t outer[k_outer_frames] = {}; // frames that the shadow stack does not know, with a change only
  unsigned outer_count = 0;
  std::uint8_t match_bits = 0;
  bool match_bits_known = false;
};

struct Runtime {
  ControlBlock* control = nullptr;
  ControlBlock* shared = nullptr; // with the search; the same where there is one worker
  bool active = false;            // an execution runs and we are not inside the runtime on its behalf
  bool controlled = false;        // in a worker
  bool forked_off = false;        // in a process that the test forked: it runs by itself
  bool in_place = false;          // in a worker that restores: the filter is on
  bool detail = false;            // record stacks: the execution is for a report
  bool recorded = false;          // record steps: for a report, or for the self-check
  Fiber* current = nullptr;
  unsigned fibers = 0; // ids in use, main included
  unsigned live = 0;
  unsigned spinning = 0;
  std::uint64_t now = 0;  // virtual time, ns
  std::uint32_t step = 0; // visible operations executed
  std::uint32_t hash = 0;
  std::uint32_t clock_reads = 0;    // in a row, without an operation
  void* controller = nullptr;       // fcontext
  void** main_shadow_top = nullptr; // at the snapshot
  std::uint64_t start_time = 0;     // virtual, at the snapshot
  bool capturing = false;           // a fiber is resumed only to write down its stack
  int exiting = -1;                 // the fiber that runs the exit handlers
  std::uint32_t exit_step = 0;
};

extern Runtime g;
extern Fiber g_fibers[k_max_threads];
extern bool g_wrote;               // the running fiber has made a plain write beyond its own stack
extern std::uintptr_t g_stack_low; // its stack: what lies in [g_stack_low, g_stack_low + g_stack_span)
extern std::uintptr_t g_stack_span;
extern void** g_shadow;     // of the running fiber
extern std::int32_t g_fuel; // plain accesses left until a loop without a visible operation is suspected
inline constexpr std::int32_t k_fuel = 50000;
inline constexpr std::int32_t k_fuel_of_suspect = 997; // prime: the samples fall on all accesses of a loop
inline constexpr unsigned k_suspect_samples =
    8; // the same read, sampled so often in a row, waits for a thread
extern std::int32_t
    g_visible_below; // plain accesses are visible when the fuel is below: 0, or the maximum for all

// A choice point stands before `operation`; returns when the calling fiber is to execute it. Outside an
// execution it returns at once. `pc` and `frame` are the caller's, see REEX_POINT.
void visible(Operation operation, void* object, void* pc, void* frame);

// The same for an operation that needs no choice (thread creation, a join that can complete): it only appears
// in the trace.
void note(Operation operation, void* object, void* pc, void* frame);

// After visible(Operation, ...): the caller's `pending` was filled in beforehand (deadline, value).
void visible_pending(Operation operation, void* object, void* pc, void* frame, std::uint64_t deadline,
                     std::uint64_t value);

// Waits a second time inside one operation: the fiber's pending operation becomes `operation`.
void wait_until(Operation operation, void* object, std::uint64_t deadline);

// The fiber's read saw `value`, with nothing but reads since: a spin may be found. `failed write` operations
// (trylock, compare-exchange) count as reads.
void note_read(void* object, std::uint64_t value);
// A spinning fiber stands before its next operation: if that is none of its spin's, the spin is over.
void note_next_operation(Fiber& fiber);
// The fiber wrote to the object: spins on it end.
void note_write(void* object);
void end_spin(Fiber& fiber);

bool is_enabled(const Fiber& fiber);
bool is_enabled(const Fiber& fiber, bool timeouts); // timeouts: a timed wait may end at any time
bool can_time_out(const Fiber& fiber);

#define REEX_FRAME (static_cast<char*>(__builtin_frame_address(0)) + 16)
#define REEX_POINT(operation, object) ::reex::visible((operation), (object), REEX_CALLER, REEX_FRAME)

// For operations that may count as reads: the registers that the caller relies on are pushed first, where a
// spin is judged by them.
#define REEX_READ_POINT(operation, object) (__builtin_unwind_init(), REEX_POINT(operation, object))

#define REEX_READ_CALLER (__builtin_unwind_init(), REEX_CALLER), REEX_FRAME

// Fibers.
Fiber* create_fiber(void* (*start)(void*), void* argument, bool detached); // null: no donor is left
Fiber* fiber_of(pthread_t thread);
void* label_of(const Fiber& fiber); // stands for the thread where an operation's object is asked for
[[noreturn]] void finish_fiber(void* result);
void switch_to(Fiber* next);
void use_stack_of(const Fiber& fiber); // as that of the running fiber
void leave_finished(Fiber& self);
[[noreturn]] void to_controller();
void capture_stack(Fiber& fiber); // the controller: the suspended fiber writes its position into the trace

// Ends the execution; does not return. Any fiber, or a signal handler.
[[noreturn]] void end_execution(End end, int value, const char* message);
[[noreturn]] void reach_step_limit();
[[noreturn]] void throw_away(End end, const char* reason);
[[noreturn]] void refuse(const char* what); // the exploration ends and says what the test uses
[[noreturn]] void internal_error(const char* what);

// Exit handlers, static destruction, then end_execution(End::exited).
[[noreturn]] void exit_process(int status);

// What getpid says: the number of the zygote, in every worker; in children of the test their own.
pid_t process_id();
void remember_process(); // the zygote

// Time.
// In a process that the test forked: its clocks go on from where they stood, as fast as real ones.
void let_time_run();
void catch_up_with_time(); // elsewhere nothing
std::uint64_t deadline_of(clockid_t clock, const timespec* absolute);
std::uint64_t read_clock(); // advances on repeated reads
timespec timespec_of(clockid_t clock, std::uint64_t now);
std::uint64_t deadline_after(const timespec& time);
bool is_valid(const timespec& time); // of a point in time, also one long ago
bool is_duration(const timespec& time);
// A wait for a notification ends at once if its time has passed. A thread that does so again and again
// without being notified polls: from the third on it lets the others go first.
std::uint64_t deadline_of_wait(std::uint64_t deadline);

// Marks the runtime's own work, in which nothing is a scheduling point.
class Inside {
public:
  Inside() : m_active(g.active) { g.active = false; }
  ~Inside() { g.active = m_active; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

private:
  bool m_active;
};

} // namespace reex
