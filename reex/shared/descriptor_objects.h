// The objects of races on descriptors: numbers below all addresses and below those of hidden state
// (hidden_objects.h). Each has eight bytes of its own in the shadow memory.
// Freestanding: used inside the test process and by the parent.
#pragma once

#include <cstdint>

#include "reex/shared/hidden_objects.h"

namespace reex {

inline constexpr unsigned k_descriptor_step = 8;
inline constexpr unsigned k_watched_descriptors = 4000; // higher numbers are not watched

constexpr std::uint64_t descriptor_object(unsigned descriptor) {
  return std::uint64_t{k_descriptor_step} * (descriptor + 1);
}
static_assert(descriptor_object(k_watched_descriptors) <= k_first_hidden);

constexpr bool is_descriptor_object(std::uint64_t object) {
  return object != 0 && object < descriptor_object(k_watched_descriptors);
}
constexpr unsigned descriptor_of_object(std::uint64_t object) {
  return static_cast<unsigned>(object / k_descriptor_step) - 1;
}

} // namespace reex
