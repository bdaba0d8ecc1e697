#include "reex/runtime/record/operation_counts.h"

#include "reex/runtime/core/runtime.h"
#include "reex/runtime/record/by_page.h"

namespace reex {

bool g_counting_operations = false;

void begin_counting() {
  g_counting_operations = !g.detail && !g.control->check.running &&
                          g.control->status.schedules.load(std::memory_order_relaxed) < k_counted_executions;
}

void count_operation(const void* pc) {
  const auto address = reinterpret_cast<std::uint64_t>(pc);
  OperationCounts& counts = g.control->operations;
  std::uint64_t slot = place_by_page(address, sizeof(OperationCount));
  for (unsigned tries = 0; tries < 64; ++tries, ++slot) {
    OperationCount& entry = counts.entry[slot % k_operation_places];
    if (entry.pc != address && entry.count != 0) continue;
    if (entry.count == 0) counts.parts |= std::uint64_t{1} << slot % k_operation_places / k_operation_part;
    entry.pc = address;
    ++entry.count;
    return;
  }
}

} // namespace reex
