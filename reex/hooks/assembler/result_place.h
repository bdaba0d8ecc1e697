// Where a function of the assembly leaves a large object that it returns: where its caller says, in rdi. The
// function gives the address back in rax.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string_view>

namespace reex {

struct ResultPlace {
  // The numbers of the lines that write at what may be an address in the object: one that comes from what rdi
  // held at first. Empty where not every return may give that back.
  std::set<std::size_t> writes;
  bool calls = false; // whether the function calls others
};

// `function`: its lines. A function that gives its first argument back for another reason counts, too. Cost:
// linear in the lines, for each level of nested loops.
ResultPlace result_place_of(std::span<const std::string_view> function);

// Where a jump may come from elsewhere. Of the labels that g++ numbers, the others are for the debugger.
bool may_be_target(std::string_view line);

} // namespace reex
