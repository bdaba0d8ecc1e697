// At each choice, every enabled thread is equally likely.
#include "reex/search/sampling.h"

namespace reex {
namespace {

unsigned pick(Sampling& sampling, const Event*, unsigned count) {
  return static_cast<unsigned>(sampling.below(count));
}

} // namespace

const Sampler k_random = {.wants_events = false,
                          .begin = nullptr,
                          .pick = pick,
                          .executed = nullptr,
                          .gave_way = nullptr,
                          .created = nullptr,
                          .ended = nullptr};

} // namespace reex
