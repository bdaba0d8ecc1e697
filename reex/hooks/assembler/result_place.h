// Where a function of the assembly leaves a large object that it returns: where its caller says, in rdi. The
// function gives the address back in rax.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string_view>
#include <vector>

namespace reex {

struct ResultPlace {
  // By the number of a label's line: the registers that hold there what rdi held at first, however the label
  // is reached.
  std::map<std::size_t, std::vector<std::string_view>> registers;
  bool calls = false; // whether the function calls others
};

// `function`: its lines. Whether it returns such an object is not asked. Cost: linear in the lines, for each
// level of nested loops.
ResultPlace result_place_of(std::span<const std::string_view> function);

// Where a jump may come from elsewhere. Of the labels that g++ numbers, the others are for the debugger.
bool may_be_target(std::string_view line);

} // namespace reex
