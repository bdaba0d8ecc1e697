// What the generators draw with.
#pragma once

#include <array>
#include <cstdint>

#include "tests/model/program.h"

namespace reex::model {

// splitmix64 (Steele, Lea, Flood 2014). The distributions of the C++ library differ between implementations.
class Random {
public:
  explicit Random(std::uint64_t seed) : m_state(seed) {}

  std::uint64_t next() {
    m_state += 0x9e3779b97f4a7c15U;
    std::uint64_t z = m_state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  int below(int limit) { return static_cast<int>(next() % static_cast<std::uint64_t>(limit)); }
  int between(int low, int high) { return low + below(high - low + 1); }
  bool chance(int percent) { return below(100) < percent; }

private:
  std::uint64_t m_state;
};

inline Op make(OpCode code, std::array<int, 4> args = {}, std::array<bool, 4> in_register = {}) {
  Op op;
  op.code = code;
  op.args = args;
  op.in_register = in_register;
  return op;
}

} // namespace reex::model
