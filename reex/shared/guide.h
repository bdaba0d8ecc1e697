// Record "guide": a schedule told by the progress of each thread instead of the execution's. It can still be
// followed where other choices are left out (minimize), or where the program was built again (replay).
#pragma once

#include <cstdint>

#include "reex/search/search.h"

namespace reex {

inline constexpr std::uint32_t k_max_turns = 1u << 18;

// A choice that is not the default: `thread` ran last and has executed `operation` visible operations.
struct Turn {
  std::uint32_t operation;
  std::uint16_t thread;
  std::uint16_t to; // the thread that runs or is woken; or the option
  ChoiceKind kind;

  bool operator==(const Turn&) const = default;
};

// A detailed execution under a debugger: the worker waits until a debugger is attached and says so here.
enum class Debugger : std::uint32_t { none, wanted, waited_for, attached };

struct Guide {
  bool follow = false; // a detailed execution chooses by `list`; the plan is not used
  std::uint32_t count = 0;
  std::uint32_t taken_count = 0;
  Turn list[k_max_turns];
  Turn taken[k_max_turns]; // of the last detailed execution, however it chose
};

} // namespace reex
