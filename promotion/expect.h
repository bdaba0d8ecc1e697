// What a promoted test shall show.
#pragma once

#include <cstdint>

namespace reex::promotion {

// What is expected of the test once the mistake is mended.
enum class Expect : std::uint8_t {
  fails,      // nothing: it fails now, and then either passes or is stuck
  infeasible, // its schedule has become impossible
  passes,     // it passes, whether its schedule is still possible or not
};

} // namespace reex::promotion
