// What executions have done so far, by thread: how many events there are to come, for strategies that weigh
// threads by that. Threads are told apart by the order of their creation. The first execution is the
// profiling one; the average over all that followed corrects it.
#pragma once

#include <cstdint>

#include "reex/search/undo_log.h"

namespace reex {

inline constexpr unsigned k_sampled_threads = 256;
inline constexpr unsigned k_profiled_objects = 1024; // objects beyond are not drawn
inline constexpr unsigned k_profile_index = 4 * k_profiled_objects;

// What a thread is about to do, or has just begun to do.
struct Event {
  std::uint64_t object; // identity of what it works on, 0: nothing
  std::uint16_t thread;
  std::uint8_t bits; // match bits (heuristics/match_bits.h), 0 without a change
  bool writes;       // may change the object, or what others may do with it
};

struct EventCounts {
  std::uint32_t now[k_sampled_threads]; // in the execution under way
  std::uint64_t sum[k_sampled_threads]; // in those before
};

struct ProfiledObject {
  std::uint64_t object;
  std::uint64_t total;
  std::uint32_t first_thread; // + 1
  bool several_threads;
  bool written;
  EventCounts counts;

  bool is_shared() const { return several_threads && written; }
};

struct Profile {
  std::uint64_t executions; // that were counted
  std::uint32_t threads;    // most of one execution
  std::uint16_t parent[k_sampled_threads];
  EventCounts all;
  EventCounts impacted;
  std::uint32_t objects;
  std::uint16_t index[k_profile_index]; // by address; object + 1
  ProfiledObject object[k_profiled_objects];

  void begin(); // an execution; one that was thrown away is forgotten
  void note_thread(std::uint16_t parent, std::uint16_t child);
  void note(const Event& event, bool is_impacted); // about ten instructions
  void end(UndoLog& undo_log);                     // O(objects * threads)
  void forget();                                   // events are no longer those they were

  std::uint64_t expected(const EventCounts& counts, unsigned thread) const;

private:
  ProfiledObject* find_or_add(std::uint64_t address);
};

} // namespace reex
