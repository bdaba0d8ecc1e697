#include "reex/records/match_table.h"

#include "reex/records/checked.h"

namespace reex {

namespace {

constexpr Checked k_checked("match table");

std::uint64_t hash_of(std::uint64_t pc) { return pc * 0x9e3779b97f4a7c15 >> 48; }

} // namespace

std::uint64_t read_request(const PcTable& shared) { return shared.request.load(); }

void answer(PcTable& shared, std::uint64_t pc, const MatchAnswer& answer) {
  for (unsigned tries = 0; tries < k_pc_table_size; ++tries) {
    PcBits& entry = shared.entry[(hash_of(pc) + tries) % k_pc_table_size];
    const std::uint64_t taken = entry.pc.load();
    if (taken != 0 && taken != pc) continue;
    entry.user_bits = answer.user_bits;
    entry.on_stack = answer.on_stack;
    entry.has_user_frame = answer.has_user_frame;
    entry.in = answer.in;
    entry.from = answer.from;
    entry.places.store(answer.places, std::memory_order_release);
    entry.pc.store(pc, std::memory_order_release);
    shared.request.store(0);
    shared.answered.fetch_add(1);
    return;
  }
  k_checked.damaged("it is full");
}

std::vector<OperationCount> read_operation_counts(const OperationCounts& shared) {
  std::vector<OperationCount> copy;
  const std::uint64_t parts = fetch(shared.parts);
  for (unsigned i = 0; i < k_operation_places; ++i) {
    if ((parts >> i / k_operation_part & 1) == 0) continue;
    const OperationCount count = fetch(shared.entry[i]);
    if (count.pc == 0) continue;
    Checked("operation counts").at_most(count.count, k_most_executions, "a count");
    copy.push_back(count);
  }
  return copy;
}

} // namespace reex
