// Record "self-check": the first schedule is executed twice, and both executions must be the same
// (runtime/record/self_check.cpp). The worker writes it. The parent reads it after the test process has
// ended.
#pragma once

#include <cstdint>

#include "reex/shared/decisions.h"
#include "reex/shared/ending.h"
#include "reex/shared/limits.h"
#include "reex/shared/operation.h"

namespace reex {

// One operation of the first execution, or one that the second made instead.
struct Visit {
  std::uint64_t pc;
  std::uint32_t object; // by order of first touch, from 1; 0: none
  std::uint32_t first_pc;
  std::uint16_t thread;
  std::uint8_t depth;
  Operation operation;
};

// How an execution of the self-check ended.
struct CheckedEnd {
  End end = End::running;
  std::int32_t value = 0;
  std::uint32_t patience = 0; // Ending::patience
  std::uint64_t output_length = 0;
  std::uint64_t output_hash[2] = {0, 0};
};

enum class CheckState : std::uint8_t { none, recorded, passed };

struct SelfCheck {
  CheckState state = CheckState::none;
  bool running = false;    // the execution under way is the second one
  bool restored = false;   // a restore went before it
  bool differs = false;    // the second: where and how is below
  bool confirming = false; // it differed after a restore: a fresh process shows whose fault that is
  bool restore_at_fault = false;
  bool prints_other = false; // only what the test printed differed, and no restore went before
  std::uint32_t step = 0;    // the first that differs; `steps` if the second went on, or ended otherwise
  bool ended_early = false;
  Visit other{};
  CheckedEnd end[2];
  std::uint64_t length = 0; // visible operations of the first execution
  std::uint32_t steps = 0;  // of these, the first ones, which are below
  std::uint32_t pcs_used = 0;
  std::uint32_t promoted = 0; // accesses that were promoted in the first execution
  Decisions plan;
  Visit visit[k_max_trace_steps];
  std::uint64_t pcs[k_max_trace_steps];
};

} // namespace reex
