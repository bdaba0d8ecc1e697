// Record "findings": what is reported without being a failure (semantics: "Verdicts"). A worker appends
// records; a detailed execution fills their stacks.
#pragma once

#include <atomic>
#include <cstdint>

#include "reex/shared/limits.h"

namespace reex {

enum class FindingKind : std::uint8_t {
  data_race,
  never_joined,
  destroyed_while_held,
  unlocked_by_stranger,
  woken_after_free,
  gone_thread,
  expected_race, // a data race that the test has announced: promoted, and not reported
  address_kept,  // a compare-exchange expected a freed address (memory/heap.h): the same
  code_entered   // a thread has entered a library without hooks (order/dormant_code.h): the same
};
constexpr bool is_reported(FindingKind kind) { return kind < FindingKind::expected_race; }
constexpr bool is_race(FindingKind kind) {
  return kind == FindingKind::data_race || kind == FindingKind::expected_race;
}

// What a thread did to the object of a finding.
enum class FindingAct : std::uint8_t {
  read,
  write,
  atomic_read,
  atomic_write,
  freed,
  created,
  held,
  destroyed,
  unlocked,
  left_frame, // the function has returned that had the memory on its stack
  woken,
  used,        // a synchronization object or a descriptor, by one of its operations
  initialized, // a synchronization object
  closed       // a descriptor
};
// It ends the life of the memory: for races a write, and no scheduling point.
constexpr bool ends_memory(FindingAct act) {
  return act == FindingAct::freed || act == FindingAct::left_frame;
}

struct FindingSide {
  std::uint64_t pc; // return address; 0: there is no such side
  std::uint16_t thread;
  FindingAct act;
  std::uint8_t size;  // bytes, of an access
  std::uint8_t depth; // of the stack; 0: not known
  std::uint32_t step; // of an access whose stack is known: the number of operations in the trace before it
  std::uint64_t stack[k_max_stack];
};

struct FindingRecord {
  std::uint64_t key; // tells the findings of one run apart
  FindingKind kind;
  bool captured; // both stacks are there
  bool shown;    // by the last detailed execution
  // A race that no unseen code has ordered: two threads stood before these accesses at once
  // (runtime/order/met_races.h), or nobody had entered such code before (runtime/order/dormant_code.h).
  bool certain;
  std::uint64_t object;
  std::uint64_t schedule; // ordinal of the execution
  FindingSide side[2];    // of a race: the earlier access, then the later one; else the first alone
};
inline constexpr unsigned k_max_findings = 4096;
inline constexpr unsigned k_met = 64;
inline constexpr unsigned k_finding_index = 4 * k_max_findings;

struct Findings {
  std::uint32_t count = 0;
  std::uint32_t handed = 0;    // to the parent
  std::uint32_t met_count = 0; // below: races that are not recorded yet
  std::uint64_t met[k_met];    // their keys
  bool overflow = false;
  bool blind = false;                   // there is not enough address space to watch accesses at all
  std::atomic<std::uint64_t> unchecked; // executions in which the room for race detection ran out
  std::uint16_t index[k_finding_index]; // by key; finding + 1
  FindingRecord record[k_max_findings];
};

} // namespace reex
