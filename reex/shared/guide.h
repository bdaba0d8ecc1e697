// A schedule told by the threads' own progress instead of the execution's: it can still be followed where
// other choices are left out (minimize) or the program was built again (replay).
#pragma once

#include <cstdint>

#include "reex/search/search.h"

namespace reex {

inline constexpr std::uint32_t k_max_turns = 1u << 18;

// Where a choice is not the default: `thread` ran last and has executed `operation` visible operations.
struct Turn {
  std::uint32_t operation;
  std::uint16_t thread;
  std::uint16_t to; // the thread that runs or is woken; the option
  ChoiceKind kind;

  bool operator==(const Turn&) const = default;
};

// A detailed execution is to be made under a debugger: the worker waits until one is attached, which says so.
enum class Debugger : std::uint32_t { none, wanted, waited_for, attached };

struct Guide {
  bool follow = false; // `list` says what a detailed execution chooses; the plan is not used
  std::uint32_t count = 0;
  std::uint32_t taken_count = 0;
  Turn list[k_max_turns];
  Turn taken[k_max_turns]; // of the last detailed execution, whatever made it choose so
};

} // namespace reex
