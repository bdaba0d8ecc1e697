// A thread of the test: a fiber on the only operating-system thread of the worker.
//
// Over a restore: main's fiber is set up anew by reset_runtime (worker.cpp), all others are unused again.
// Over a worker's death: the next worker has the fibers of its zygote, which are main's alone.
#pragma once

#include <cstdint>
#include <pthread.h>

#include "reex/runtime/core/pending.h"
#include "reex/shared/limits.h"

namespace reex {

enum class FiberState : std::uint8_t { unused, live, finished };

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

extern Fiber g_fibers[k_max_threads]; // by number; g.fibers of them are in use

Fiber* fiber_of(pthread_t thread);  // null: no thread that can still be named
void* label_of(const Fiber& fiber); // stands for the thread where an operation's object is asked for

} // namespace reex
