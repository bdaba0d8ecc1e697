// Record "plan" or "saved": the choices of one execution that are not of rank 0.
#pragma once

#include <cstdint>

#include "reex/search/search.h"

namespace reex {

struct Decisions {
  std::uint32_t count = 0;
  std::uint32_t preemptions = 0;
  Choice list[k_max_decisions];
};

} // namespace reex
