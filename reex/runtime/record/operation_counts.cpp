#include "reex/runtime/record/operation_counts.h"

#include "reex/runtime/core/runtime.h"

namespace reex {

bool g_counting_operations = false;

void begin_counting() {
  g_counting_operations = !g.detail && !g.control->check.running &&
                          g.control->status.schedules.load(std::memory_order_relaxed) < k_counted_executions;
}

void count_operation(const void* pc) {
  const auto address = reinterpret_cast<std::uint64_t>(pc);
  OperationCount* const table = g.control->operations;
  std::uint64_t slot = address * 0x9e3779b97f4a7c15 >> 48;
  for (unsigned tries = 0; tries < 64; ++tries, ++slot) {
    OperationCount& entry = table[slot % k_operation_places];
    if (entry.pc != address && entry.count != 0) continue;
    entry.pc = address;
    ++entry.count;
    return;
  }
}

} // namespace reex
