// Counts the events of each thread in past executions, to estimate how many are to come. urw and surw
// (surw.cpp) weigh threads by this number. Threads are identified by the order of their creation; those from
// the k_sampled_threads-th on count as one. After the first execution its counts are the estimate; later it
// is the average over all counted executions.
//
// A profile may come from another run, and from another machine (explorer/profile.h). Objects are known by
// their addresses, and the three parts of a process's memory lie elsewhere there: the stack of main, for
// example, begins below the environment. So a profile knows where they lay, and is moved to where they lie
// now.
//
// Callers: a sampler, in a worker; move_to, a process of the test as it begins. Freestanding.
//
// Invariants: a profile lies in the worker's part of the shared memory and outlives the worker. All zero is
// the initial state. end() saves what it changes in the undo log.
//
// Cost: about ten instructions for an event; O(objects * threads) at the end of an execution.
//
// Source: Zhao et al., ASPLOS 2025 (cited in surw.cpp).
#pragma once

#include <cstdint>

#include "reex/search/undo_log.h"

namespace reex {

inline constexpr unsigned k_sampled_threads =
    1024; // threads alive at once, and threads that are counted apart
inline constexpr unsigned k_profiled_objects = 1024; // no further object is counted or drawn
inline constexpr unsigned k_profile_index = 4 * k_profiled_objects;

// An address in each part of a process's memory. Those of one part keep their distances.
struct MemoryLayout {
  std::uint64_t program; // with what follows it
  std::uint64_t mapped;  // libraries, the heap, the stacks of threads
  std::uint64_t stack;   // where that of main begins; 0: nothing is known

  bool operator==(const MemoryLayout&) const = default;
};
enum class MemoryPart : std::uint8_t { program, mapped, stack };

constexpr MemoryPart part_of(std::uint64_t address, const MemoryLayout& layout) {
  constexpr std::uint64_t k_room_of_stack = std::uint64_t{64} << 20; // the kernel keeps twice this free
  if (address + k_room_of_stack >= layout.stack) return MemoryPart::stack;
  const bool is_lower = address < layout.program + (layout.mapped - layout.program) / 2;
  return is_lower ? MemoryPart::program : MemoryPart::mapped;
}

constexpr std::uint64_t start_of(MemoryPart part, const MemoryLayout& layout) {
  return part == MemoryPart::program  ? layout.program
         : part == MemoryPart::mapped ? layout.mapped
                                      : layout.stack;
}

// The next visible operation of a thread, or the one that it begins to execute.
struct Event {
  std::uint64_t object; // the object's identity; 0: none
  std::uint16_t thread; // its slot: a later thread may have it when this one has ended
  std::uint8_t bits;    // match bits (heuristics/match_bits.h); 0 without a change
  bool writes;          // may change the object, or what other threads can do with it
};

struct EventCounts {
  std::uint32_t now[k_sampled_threads]; // in the execution under way
  std::uint64_t sum[k_sampled_threads]; // in the counted executions before
};

struct ProfiledObject {
  std::uint64_t object;
  std::uint64_t total;
  std::uint32_t first_thread; // number of the thread + 1; 0: none yet
  bool several_threads;
  bool written;
  EventCounts counts;

  bool is_shared() const { return several_threads && written; }
};

struct Profile {
  MemoryLayout layout;      // of its addresses
  std::uint64_t executions; // executions that were counted
  std::uint32_t threads;    // most threads of any execution
  std::uint16_t parent[k_sampled_threads];
  EventCounts all;
  EventCounts impacted;
  std::uint32_t objects;
  std::uint16_t index[k_profile_index]; // by address; number of the object + 1
  ProfiledObject object[k_profiled_objects];

  void begin(); // starts an execution; forgets the counts of one that was thrown away
  void note_thread(std::uint16_t parent, std::uint16_t child);
  void note(const Event& event, std::uint16_t thread, bool is_impacted);
  void end(UndoLog& undo_log);    // adds the execution's counts to the sums
  void forget();                  // forgets all counts: the program has other visible operations now
  void copy(const Profile& from); // all that was counted
  // The memory lies there, in the process that counts from now on.
  void move_to(const MemoryLayout& now);

  std::uint64_t expected(const EventCounts& counts, unsigned thread) const;

private:
  std::uint16_t& slot_of(std::uint64_t address);
  ProfiledObject* find_or_add(std::uint64_t address);
};

} // namespace reex
