#include "reex/process/promoted_accesses.h"

#include <algorithm>

#include "reex/shared/promoted.h"

namespace reex {

std::vector<PromotedAccess> promoted_accesses(const std::vector<std::uint64_t>& pcs, Session& session) {
  std::vector<PromotedAccess> result;
  for (const std::uint64_t pc : pcs) {
    if (pc == k_addresses_come_again || pc == k_code_is_entered) continue;
    const CodeAddress place = session.place_of(pc);
    const std::vector<Frame> frames = session.reader().stack(std::span(&pc, 1), 1);
    result.push_back(
        {.module = place.module,
         .offset = place.offset,
         .location = frames.empty() ? "" : frames[0].file + ":" + std::to_string(frames[0].line)});
  }
  return result;
}

bool addresses_come_again(const std::vector<std::uint64_t>& pcs) {
  return std::find(pcs.begin(), pcs.end(), k_addresses_come_again) != pcs.end();
}

bool code_is_entered(const std::vector<std::uint64_t>& pcs) {
  return std::find(pcs.begin(), pcs.end(), k_code_is_entered) != pcs.end();
}

} // namespace reex
