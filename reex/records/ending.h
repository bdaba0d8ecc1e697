// Reads the record "ending" (reex/shared/ending.h), wherever one stands.
#pragma once

#include <cstdint>
#include <string>

#include "reex/shared/ending.h"

namespace reex {

struct EndingCopy {
  End end = End::running;
  std::int32_t value = 0;
  std::uint32_t thread = 0;
  std::uint32_t times_passed = 0;
  std::uint32_t patience = 0;
  std::uint64_t limit = 0;
  std::string message;
};

EndingCopy read_ending(const Ending& shared);

} // namespace reex
