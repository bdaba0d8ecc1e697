// Record "imunit": the schedule that the test has put in force, and what came of it in all executions
// (docs/imunit.md). The worker writes it.
#pragma once

#include <atomic>
#include <cstdint>

#include "reex/imunit/grammar.h"
#include "reex/shared/operation.h"

namespace reex {

inline constexpr unsigned k_imunit_positions = 16;

// Where a thread stood in a stuck execution.
struct ImunitPosition {
  std::uint64_t pc;    // return address
  std::uint64_t issue; // of the event at which it is held
  std::uint16_t thread;
  std::int16_t ordering; // for which it is held; negative: it waits for something else
  Operation operation;
  bool spins;
};

// A place that REEX_EVENT_AT has declared: an operation of a function, where an event occurs.
struct ImunitPlace {
  char name[64];      // of the event
  char operation[40]; // its words (reex/shared/operation.h)
  char function[160]; // of the innermost frame of the user
  char from[160];     // of a frame around it; "": of any
  bool after;         // the event occurs behind the operation
};
inline constexpr unsigned k_imunit_places = 16;

struct ImunitRecord {
  std::atomic<std::uint32_t> places; // declared in any execution
  ImunitPlace place[k_imunit_places];
  bool used;       // a schedule was in force
  bool several;    // schedules with different texts were; the members are about the first one
  bool infeasible; // nothing shall satisfy it
  bool checks;     // nobody is held
  char name[64];
  std::uint32_t length;
  char text[imunit::k_max_text];
  std::atomic<std::uint64_t> satisfied; // executions
  std::atomic<std::uint64_t> stuck;
  std::uint64_t reached; // events, in any execution
  std::uint64_t held;    // orderings for which somebody was held, in any execution
  std::uint64_t unknown; // events that no code can issue
  std::uint32_t positions;
  ImunitPosition position[k_imunit_positions]; // of the first stuck execution
};

} // namespace reex
