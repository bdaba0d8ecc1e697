// Records every visible operation with its stack, and where each thread was at the end. Only for g.detail:
// workers that explore record nothing of this.
#include "reex/runtime/record/trace.h"
#include "reex/runtime/core/enabled.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/virtual_time.h"
#include "reex/runtime/machine/modules.h"
#include "reex/runtime/record/debugger.h"
#include "reex/runtime/record/guide.h"
#include "reex/runtime/record/self_check.h"

namespace reex {
namespace {

struct Walk {
  std::uint64_t* pcs;
  unsigned most;
  unsigned count;
};

_Unwind_Reason_Code visit(_Unwind_Context* context, void* argument) {
  auto& walk = *static_cast<Walk*>(argument);
  int before_instruction = 0;
  std::uint64_t pc = _Unwind_GetIPInfo(context, &before_instruction);
  if (pc == 0) return _URC_END_OF_STACK;
  if (before_instruction != 0) ++pc; // a faulting instruction: stored one byte further, like a return address
  if (in_runtime(pc)) return _URC_NO_REASON;
  walk.pcs[walk.count++] = pc;
  return walk.count == walk.most ? _URC_END_OF_STACK : _URC_NO_REASON;
}

// A coroutine's first function has no caller. Some have a return address there that nothing is mapped at, and
// the unwinder reads what it takes for code: the walk ends with such a fault.
void* g_end_of_walk[5]; // as __builtin_setjmp wants it
bool g_walking = false;

// The switch before the next step.
Leave g_leave = Leave::none;
std::uint16_t g_from = 0;
unsigned g_enabled = 1;
int g_ordering = -1; // for which the thread that is left is held

// The events of the schedule that the thread's pending operation stands for.
std::uint64_t issue_of(const Fiber& fiber) {
  return fiber.pending.operation == Operation::imunit_event ? fiber.pending.value : 0;
}

} // namespace

void walk_frames(_Unwind_Trace_Fn visit, void* argument) {
  Inside inside;
  if (__builtin_setjmp(g_end_of_walk) == 0) {
    g_walking = true;
    _Unwind_Backtrace(visit, argument);
  }
  g_walking = false;
}

unsigned walk_stack(std::uint64_t* pcs, unsigned most) {
  Walk walk{pcs, most, 0};
  walk_frames(visit, &walk);
  return walk.count;
}

void end_walk_at_fault() {
  if (g_walking) __builtin_longjmp(g_end_of_walk, 1);
}

unsigned record_stack(std::uint32_t& first_pc) {
  Trace& trace = g.control->trace;
  first_pc = trace.pcs_used;
  if (trace.pcs_used + k_max_stack > k_max_trace_pcs) return 0;
  const unsigned depth = walk_stack(trace.pcs + trace.pcs_used, k_max_stack);
  trace.pcs_used += depth;
  return depth;
}

void begin_trace() {
  begin_guide();
  wait_for_debugger();
  Trace& trace = g.control->trace;
  trace.length = 0;
  trace.steps = 0;
  trace.pcs_used = 0;
  trace.threads = 0;
  trace.block = {};
  for (TracePosition& position : trace.positions) position = {};
  g_leave = Leave::none;
  g_enabled = 1;
}

void record_switch(const Fiber& from, Leave reason, unsigned) {
  g_leave = reason;
  g_from = from.id;
  g_ordering = reason == Leave::held ? held_for(from) : -1;
}

void record_enabled(unsigned enabled) { g_enabled = enabled; }

void record_step(const Fiber& fiber) {
  check_step(fiber);
  if (!g.detail) return;
  count_for_guide(fiber);
  Trace& trace = g.control->trace;
  ++trace.length;
  if (trace.steps == k_max_trace_steps) return;
  TraceStep32& step = trace.step[trace.steps++];
  step = {.object = reinterpret_cast<std::uint64_t>(fiber.pending.object),
          .first_pc = 0,
          .thread = fiber.id,
          .from = g_from,
          .depth = 0,
          .operation = fiber.pending.operation,
          .leave = g_leave,
          .enabled = static_cast<std::uint8_t>(g_enabled > 255 ? 255 : g_enabled),
          .woken = -1,
          .ordering = static_cast<std::int16_t>(g_leave == Leave::held ? g_ordering : -1),
          .issue = issue_of(fiber),
          .time = g_time.now};
  step.depth = static_cast<std::uint8_t>(record_stack(step.first_pc));
  g_leave = Leave::none;
  g_enabled = 1;
}

void record_woken(unsigned count) {
  Trace& trace = g.control->trace;
  if (!g.detail || trace.steps == 0 || trace.steps == k_max_trace_steps) return;
  trace.step[trace.steps - 1].woken = static_cast<std::int16_t>(count);
}

void record_failed_exchange() { record_woken(0); }

namespace {

// The read that the thread makes most often, the last of several; if the loop reads nothing but plain data
// under a lock, the lock.
void record_spin(const Fiber& fiber, TracePosition& position) {
  const SpinRead* most = nullptr;
  for (unsigned i = 0; i < fiber.spin_reads; ++i) {
    const SpinRead& read = fiber.spin[i];
    if (!in_loop(fiber, read) || read.operation == Operation::yield) continue;
    if (most == nullptr || most->changes > read.changes ||
        (most->changes == read.changes && !read.changes && read.count >= most->count))
      most = &read;
  }
  if (most == nullptr) return;
  position.object = reinterpret_cast<std::uint64_t>(most->object);
  position.operation = most->operation;
  position.spin_pc = reinterpret_cast<std::uint64_t>(most->pc);
  position.state = k_position_spins;
  position.holder = -1;
}

} // namespace

void record_position(const Fiber& fiber) {
  TracePosition& position = g.control->trace.positions[fiber.slot];
  const Pending& pending = fiber.pending;
  position = {.object = reinterpret_cast<std::uint64_t>(pending.object),
              .first_pc = 0,
              .thread = fiber.id,
              .depth = 0,
              .operation = pending.operation,
              .state = static_cast<std::uint8_t>(fiber.state == FiberState::finished ? 3
                                                 : is_enabled(fiber)                 ? 1
                                                                                     : 2),
              .holder = -1,
              .ordering = static_cast<std::int16_t>(held_for(fiber)),
              .issue = issue_of(fiber)};
  if (pending.object != nullptr) position.holder = static_cast<std::int16_t>(holder_of(pending));
  if (fiber.spinning && g.control->ending.end == End::livelock) record_spin(fiber, position);
  if (g.control->ending.steps != 0 && pending.deadline != k_never) position.state = k_position_waits_again;
  if (fiber.state == FiberState::live)
    position.depth = static_cast<std::uint8_t>(record_stack(position.first_pc));
}

} // namespace reex
