// Record "trace": every step of a detailed execution with its stack, and where each thread stood at the end.
// A detailed worker fills it. The parent reads it while the report is handed over.
#pragma once

#include <cstdint>

#include "reex/shared/limits.h"
#include "reex/shared/operation.h"

namespace reex {

struct TraceStep32 {
  std::uint64_t object;
  std::uint32_t first_pc; // into Trace::pcs
  std::uint16_t thread;
  std::uint16_t from;
  std::uint8_t depth;
  Operation operation;
  Leave leave;
  std::uint8_t enabled; // at most 255
  std::int16_t woken;   // of a notification: the number of threads that it wakes; of a compare-exchange: 0
                        // if it failed; negative: none
  std::int16_t ordering = -1; // for which the thread that ran before is held, if `leave` is Leave::held
  std::uint64_t issue = 0;    // of an event: which events of the schedule (imunit/monitor.h)
  std::uint64_t time = 0;     // virtual, as the step begins
};

// What a thread did last: its pending operation and its stack. Of a thread that spins in a livelock: a read
// of its loop.
inline constexpr std::uint8_t k_position_spins = 4;
inline constexpr std::uint8_t k_position_waits_again = 5; // blocked, for a time, again and again
struct TracePosition {
  std::uint64_t object;
  std::uint32_t first_pc;
  std::uint16_t thread;
  std::uint8_t depth;
  Operation operation;
  std::uint8_t state;         // 0 unused, 1 can run, 2 blocked, 3 finished, or one of the above
  std::int16_t holder;        // what the object names as its holder; negative: none, or not known
  std::int16_t ordering = -1; // for which the thread is held at an event
  std::uint64_t issue = 0;    // of the event
  std::uint64_t spin_pc = 0;  // return address of that read
};

// Where a block of the heap was allocated or freed.
struct BlockEvent {
  bool known;
  std::uint16_t thread;
  std::uint8_t depth;
  std::uint32_t first_pc;
};

// The block of a memory error.
struct TraceBlock {
  std::uint64_t address;
  std::uint64_t size;
  BlockEvent allocated;
  BlockEvent freed;
};

struct Trace {
  std::uint64_t length = 0; // operations of the execution
  std::uint32_t steps = 0;  // of these, the first ones, which are below
  std::uint32_t pcs_used = 0;
  std::uint32_t threads = 0; // number of positions
  TraceBlock block = {};
  TracePosition
      positions[k_max_threads]; // of the threads whose slots were not used again; the others have ended
  TraceStep32 step[k_max_trace_steps];
  std::uint64_t pcs[k_max_trace_pcs];
};

} // namespace reex
