// One line of `reex doctor`: something that reex needs or uses, and whether it is there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace reex {

enum class Health : std::uint8_t {
  good,
  note,   // without it, reex is slower or sees less
  missing // without it, reex does not work, or no test can pass
};

struct Check {
  std::string name;
  Health health = Health::good;
  std::string found;
  std::string remedy; // what to do if it is not good
};

using Checks = std::vector<Check>;

} // namespace reex
