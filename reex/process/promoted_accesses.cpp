#include "reex/process/promoted_accesses.h"

namespace reex {

std::vector<PromotedAccess> promoted_accesses(const Promoted& set, std::uint32_t count, Session& session) {
  std::vector<PromotedAccess> result;
  for (std::uint32_t i = 0; i < count; ++i) {
    const CodeAddress place = session.place_of(set.pc[i]);
    const std::vector<Frame> frames = session.reader().stack(&set.pc[i], 1, 1);
    result.push_back(
        {.module = place.module,
         .offset = place.offset,
         .location = frames.empty() ? "" : frames[0].file + ":" + std::to_string(frames[0].line)});
  }
  return result;
}

} // namespace reex
