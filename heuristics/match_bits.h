// The seven ICP match modes of CAPP as bits, and the three prioritization modes.
//
// Callers: any; freestanding, for the parent process and for code inside the test.
//
// Source: dissertation, section 4.2.2 "Modes".
#pragma once

#include <cstdint>

namespace reex {

// What a transition matches. The first four bits also describe a single frame: whether this frame lies in an
// impacted class, method or line, or accesses an impacted field.
enum MatchBit : std::uint8_t {
  k_match_class = 1,
  k_match_method = 2,
  k_match_line = 4,
  k_match_field = 8,
  k_match_class_on_stack = 16,
  k_match_method_on_stack = 32,
  k_match_line_on_stack = 64,
};

// The bits that a frame anywhere on the stack adds to the transition: its class, method and line, as "on
// stack".
constexpr std::uint8_t on_stack_bits(std::uint8_t frame_bits) {
  return static_cast<std::uint8_t>((frame_bits & (k_match_class | k_match_method | k_match_line)) << 4);
}
static_assert(on_stack_bits(k_match_class) == k_match_class_on_stack);
static_assert(on_stack_bits(k_match_method) == k_match_method_on_stack);
static_assert(on_stack_bits(k_match_line | k_match_field) == k_match_line_on_stack);

// Figure 4.2, line 2.
enum class PrioritizationMode : std::uint8_t { basic, all, some };

} // namespace reex
