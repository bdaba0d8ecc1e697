// Tables in which the entries of what lies in one page of the test's memory lie in one page, too, unless
// there are many: the first write to a page costs a worker a page fault, and most tests use few pages.
#pragma once

#include <cstddef>
#include <cstdint>

namespace reex {

// Where the entry of an address belongs, to be taken modulo the number of entries.
inline std::uint64_t place_by_page(std::uint64_t address, std::size_t size_of_entry) {
  constexpr std::uint64_t k_page = 4096;
  constexpr std::uint64_t k_golden = 0x9e3779b97f4a7c15;
  const std::uint64_t entries = k_page / size_of_entry;
  return (address / k_page * k_golden >> 40) * entries + (address % k_page * k_golden >> 40) % entries;
}

} // namespace reex
